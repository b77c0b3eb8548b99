import type { SiteDirectory } from "../../ports/site/sites.ts";

/** How often a call is made again because its site changed meanwhile, before that counts as a fault. */
const MAX_ATTEMPTS = 4;

/** A write found that the site is not the one that was gone by, and wrote nothing (D3). */
export type SiteChanged = { readonly kind: "site_changed"; readonly siteKey: string };

function isSiteChanged(answer: unknown): answer is SiteChanged {
  return typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "site_changed";
}

/**
 * Attempts a call with what the directory holds of a site, and again with the site read anew while that says `site_changed`
 * (D3). `attempt` finds the site itself, by its key or by a secret, since a change may have taken either away.
 */
export async function withFreshSite<Answer>(
  directory: SiteDirectory,
  attempt: () => Promise<Answer | SiteChanged>,
): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    const answer = await attempt();
    if (!isSiteChanged(answer)) return answer;
    directory.forget(answer.siteKey);
    if (attempts === MAX_ATTEMPTS) throw new Error(`site ${answer.siteKey} changed ${attempts} times within one call`);
  }
}
