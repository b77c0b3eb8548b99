import type { SiteDirectory } from "../../ports/site/sites.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";

/**
 * How often a call is attempted while its site keeps changing, before the caller must try again.
 */
const MAX_ATTEMPTS = 4;

/**
 * A write found that the site has changed since it was read, and wrote nothing (D3, single use).
 */
export type SiteChanged = { readonly kind: "site_changed"; readonly siteKey: string };

function isSiteChanged(answer: unknown): answer is SiteChanged {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "kind" in answer &&
    answer.kind === "site_changed"
  );
}

/**
 * Attempts a call with the site as the directory has it, and again with a fresh site if the result
 * is `site_changed` (D3, single use). `attempt` finds the site itself, by its key or by a secret,
 * since a change may have removed either. Rejects with StoreUnavailable if it is changed at each
 * attempt.
 */
export async function withFreshSite<Answer>(
  directory: SiteDirectory,
  attempt: () => Promise<Answer | SiteChanged>,
): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    const answer = await attempt();
    if (!isSiteChanged(answer)) return answer;
    directory.forget(answer.siteKey);
    if (attempts === MAX_ATTEMPTS)
      throw new StoreUnavailable(
        `site ${answer.siteKey} changed ${attempts} times within one call`,
      );
  }
}
