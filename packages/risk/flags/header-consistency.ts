import { type ClaimedHints, hintsOfEnvironment, hintsOfHeaders } from "../client-hints.ts";
import { type Detector, knownEnvironment, requestUserAgent } from "../evidence.ts";
import { type ClaimedBrowser, parseUserAgent } from "../user-agent.ts";

/** Tablets and headsets in "desktop site" mode claim a computer while the hints may still say Android. */
const isDesktopSiteMode = (claim: ClaimedBrowser, hints: ClaimedHints): boolean =>
  hints.platform === "Android" && claim.platform !== "Android" && claim.platform !== "iOS";

function doContradict(userAgent: string, hints: ClaimedHints): boolean {
  const claim = parseUserAgent(userAgent);
  if (claim.engine === "unknown") return false;
  if (claim.engine !== "chromium") return hints.chromiumMajor !== null;
  if (hints.chromiumMajor !== null && claim.major !== hints.chromiumMajor) return true;
  if (isDesktopSiteMode(claim, hints)) return false;
  if (claim.platform !== "unknown" && hints.platform !== "unknown" && claim.platform !== hints.platform) return true;
  return (claim.isDesktop && hints.isMobile === true) || (claim.isMobile && hints.isMobile === false);
}

/**
 * User agent and client hints, where both exist, name another Chromium version, system or form factor, in the headers
 * or in the page: an overridden user agent whose hints were forgotten. All Chromium forks list the brand Chromium with
 * their engine's version; Firefox and Safari send no hints. People with a user-agent switcher raise it: not a block.
 */
export const uaChMismatch: Detector = (evidence) => {
  const userAgent = requestUserAgent(evidence);
  const ofRequest = hintsOfHeaders(evidence.headers ?? {});
  if (userAgent !== undefined && ofRequest !== null && doContradict(userAgent, ofRequest)) return true;
  const environment = knownEnvironment(evidence);
  const ofPage = environment === undefined ? null : hintsOfEnvironment(environment);
  return environment !== undefined && ofPage !== null && doContradict(environment.userAgent, ofPage);
};

/** The whole user agent of Chrome itself on Windows or macOS, without the suffixes of forks, views and frameworks. */
const PLAIN_DESKTOP_CHROME =
  /^Mozilla\/5\.0 \((?:Windows NT|Macintosh;)[^)]{1,60}\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/[1-9]\d\d\.[\d.]{1,16} Safari\/537\.36$/;

/**
 * The request is not what the claimed browser sends: desktop Chrome over a secure connection (it sends `sec-fetch-*`
 * only there) without `sec-ch-ua`; or a browser that sends `accept` but no `accept-language`, as HTTP libraries with a
 * borrowed user agent and old headless shells do. Plain http, in-app views and forks are neutral. Privacy proxies that
 * strip headers can raise it: small weight.
 */
export const headerInconsistent: Detector = (evidence) => {
  const { headers } = evidence;
  const userAgent = requestUserAgent(evidence);
  if (headers === undefined || userAgent === undefined) return false;
  const hasFetchMetadata = headers["sec-fetch-mode"] !== undefined || headers["sec-fetch-site"] !== undefined;
  if (hasFetchMetadata && headers["sec-ch-ua"] === undefined && PLAIN_DESKTOP_CHROME.test(userAgent)) return true;
  const isBrowser = parseUserAgent(userAgent).engine !== "unknown";
  return isBrowser && headers.accept !== undefined && headers["accept-language"] === undefined;
};
