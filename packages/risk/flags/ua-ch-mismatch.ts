import { type ClaimedHints, hintsOfEnvironment, hintsOfHeaders } from "../client-hints.ts";
import { knownEnvironment, requestUserAgent } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { type ClaimedBrowser, parseUserAgent } from "../user-agent.ts";

/**
 * Tablets and headsets in "desktop site" mode claim to be a computer while the hints may still say
 * Android.
 */
const isDesktopSiteMode = (claim: ClaimedBrowser, hints: ClaimedHints): boolean =>
  hints.platform === "Android" && claim.platform !== "Android" && claim.platform !== "iOS";

function doContradict(userAgent: string, hints: ClaimedHints): boolean {
  const claim = parseUserAgent(userAgent);
  if (claim.engine === "unknown") return false;
  if (claim.engine !== "chromium") return hints.chromiumMajor !== null;
  if (hints.chromiumMajor !== null && claim.major !== hints.chromiumMajor) return true;
  if (isDesktopSiteMode(claim, hints)) return false;
  if (
    claim.platform !== "unknown" &&
    hints.platform !== "unknown" &&
    claim.platform !== hints.platform
  )
    return true;
  return (
    (claim.isDesktop && hints.isMobile === true) || (claim.isMobile && hints.isMobile === false)
  );
}

/**
 * User agent and client hints name different Chromium versions, systems or form factors, in the
 * headers or in the page: an overridden user agent. People with a user-agent switcher raise it.
 */
export const uaChMismatch = {
  name: "ua_ch_mismatch",
  group: "environment",
  label: "User agent and client hints contradict each other.",
  weight: 2.6,
  detect: (evidence) => {
    const userAgent = requestUserAgent(evidence);
    const ofRequest = hintsOfHeaders(evidence.headers ?? {});
    if (userAgent !== undefined && ofRequest !== null && doContradict(userAgent, ofRequest))
      return true;
    const environment = knownEnvironment(evidence);
    const ofPage = environment === undefined ? null : hintsOfEnvironment(environment);
    return (
      environment !== undefined && ofPage !== null && doContradict(environment.userAgent, ofPage)
    );
  },
} satisfies FlagRow;
