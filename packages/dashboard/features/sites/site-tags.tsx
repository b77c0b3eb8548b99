import { isTestingHost } from "./testing-host.ts";
import { SITE } from "./text.ts";

type SiteTagsProps = {
  readonly isEnabled: boolean;
  readonly domains: readonly string[];
  readonly isNeverVerified?: boolean;
};

/** What is unusual about a site, each in one word. */
export function SiteTags({ isEnabled, domains, isNeverVerified = false }: SiteTagsProps) {
  return (
    <>
      {!isEnabled && <span class="tag bad">{SITE.disabled}</span>}
      {domains.some(isTestingHost) && (
        <span class="tag" title={SITE.testingHelp}>
          {SITE.testing}
        </span>
      )}
      {isNeverVerified && (
        <span class="tag warn" title={SITE.neverVerifiedHelp}>
          {SITE.neverVerified}
        </span>
      )}
    </>
  );
}
