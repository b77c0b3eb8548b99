import { isTestingHost } from "./testing-host.ts";
import { SITE } from "./text.ts";

type SiteTagsProps = {
  readonly isEnabled: boolean;
  readonly domains: readonly string[];
  readonly isNeverVerified?: boolean;
};

/** Unusual properties of a site, each in one word. */
export function SiteTags(props: SiteTagsProps) {
  const { isNeverVerified = false } = props;

  return (
    <>
      {!props.isEnabled && <span class="tag bad">{SITE.disabled}</span>}
      {props.domains.some(isTestingHost) && (
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
