import { isSiteKey } from "@stile/protocol/key-formats";
import type { Site } from "../../domain/site/site.ts";
import type { SiteDirectory } from "../../ports/site/sites.ts";

/**
 * The site that a page names by its key; undefined if there is none (D8, challenge). Malformed keys
 * are not looked up.
 */
export async function findPublicSite(
  directory: SiteDirectory,
  siteKey: string,
): Promise<Site | undefined> {
  const site = isSiteKey(siteKey) ? await directory.findSite(siteKey) : undefined;
  return site === undefined || site.deletedAtMs !== null ? undefined : site;
}
