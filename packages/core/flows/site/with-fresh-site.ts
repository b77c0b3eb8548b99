import type { Site } from "../../domain/site/site.ts";
import type { SiteDirectory } from "../../ports/site/sites.ts";

/** How often a call is judged again because its site changed meanwhile, before that counts as a fault. */
const MAX_ATTEMPTS = 4;

/** Judges with what the directory holds of the site, and again with the site read anew while it says `site_changed` (D3). */
export async function withFreshSite<Answer>(
  directory: SiteDirectory,
  siteKey: string,
  judge: (site: Site | undefined) => Promise<Answer | "site_changed">,
): Promise<Answer> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await judge(await directory.findSite(siteKey));
    if (answer !== "site_changed") return answer;
    directory.forget(siteKey);
  }
  throw new Error(`site ${siteKey} changed ${MAX_ATTEMPTS} times within one call`);
}
