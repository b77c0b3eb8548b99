import { brandsOfHeader } from "../client-hints.ts";
import { requestUserAgent } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { type ClaimedBrowser, parseUserAgent } from "../user-agent.ts";

/**
 * The complete user agent of Chrome itself on Windows or macOS; those of forks, views and
 * frameworks have suffixes.
 */
const PLAIN_DESKTOP_CHROME =
  /^Mozilla\/5\.0 \((?:Windows NT|Macintosh;)[^)]{1,60}\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/[1-9]\d\d\.[\d.]{1,16} Safari\/537\.36$/;

/** Brands with the same version number as Chromium. */
const SAME_VERSION = ["Google Chrome", "Microsoft Edge"];

/**
 * The GREASE brand, which keeps servers from relying on Chromium's list, in any spelling:
 * "Not=A?Brand".
 */
const MADE_UP_BRAND = /(?<![a-z])not[^a-z]{1,3}a[^a-z]{1,3}brand/i;

/**
 * The version of Chromium from which on `sec-ch-ua`, `-mobile` and `-platform` always come
 * together.
 */
const HINTS_SINCE = 93;

type Headers = Readonly<Record<string, string>>;

/**
 * Whether a Chromium request over a secure connection was assembled by hand: headers that always
 * come together don't.
 */
function hasForgedHints(headers: Headers, { engine, major }: ClaimedBrowser): boolean {
  const text = headers["sec-ch-ua"];
  if (engine !== "chromium" || major === null || major < HINTS_SINCE) return false;
  if (text === undefined || headers.accept === undefined) return false;
  const brands = brandsOfHeader(text);
  const ofChromium = brands.find(([name]) => name === "Chromium")?.[1];
  if (headers["sec-ch-ua-mobile"] === undefined || headers["sec-ch-ua-platform"] === undefined)
    return true;
  if (headers["sec-fetch-mode"] === undefined || !brands.some(([name]) => MADE_UP_BRAND.test(name)))
    return true;
  return brands.some(([name, version]) => SAME_VERSION.includes(name) && version !== ofChromium);
}

/**
 * Whether the widget's own call was not made by `fetch`, which accepts any type and never
 * navigates.
 */
function isNoFetch(headers: Headers): boolean {
  const { accept, "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
  if (accept !== undefined && accept.trim() !== "*/*") return true;
  return mode === "navigate" || (destination !== undefined && destination !== "empty");
}

/**
 * The request is not what the claimed browser sends. Desktop Chrome over a secure connection lacks
 * `sec-ch-ua`. Or client hints lack a part. Or a browser sends `accept` but no `accept-language`.
 * Or a widget's call has the headers of a navigation or a library. Plain http, in-app views, forks
 * and `accept-encoding` are neutral. Privacy proxies raise it.
 */
export const headerInconsistent = {
  name: "header_inconsistent",
  group: "environment",
  label: "The request headers do not fit the claimed browser.",
  weight: 1.6,
  detect: (evidence) => {
    const { headers } = evidence;
    const userAgent = requestUserAgent(evidence);
    if (headers === undefined || userAgent === undefined) return false;
    const hasFetchMetadata =
      headers["sec-fetch-mode"] !== undefined || headers["sec-fetch-site"] !== undefined;
    if (
      hasFetchMetadata &&
      headers["sec-ch-ua"] === undefined &&
      PLAIN_DESKTOP_CHROME.test(userAgent)
    )
      return true;
    const claim = parseUserAgent(userAgent);
    if (claim.engine === "unknown") return false;
    if (headers.accept !== undefined && headers["accept-language"] === undefined) return true;
    return hasForgedHints(headers, claim) || (evidence.solve !== undefined && isNoFetch(headers));
  },
} satisfies FlagRow;
