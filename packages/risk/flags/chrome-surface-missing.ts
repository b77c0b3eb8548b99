import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/**
 * Chrome's own user agent on a desktop; forks, shells and frameworks have suffixes and don't match.
 */
const PLAIN_DESKTOP_CHROME =
  /^Mozilla\/5\.0 \((?:Windows NT|Macintosh;|X11;)[^)]{1,60}\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/[1-9]\d\d\.[\d.]{1,16} Safari\/537\.36$/;

/**
 * Desktop Chrome without `window.chrome`: the headless shell with a borrowed user agent (3 of 3
 * sessions). Views inside programs (CEF, Qt) may lack it too.
 */
export const chromeSurfaceMissing = {
  name: "chrome_surface_missing",
  group: "environment",
  label: "Chrome lacks features that every Chrome window has.",
  weight: 1.2,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    return environment?.chrome === null && PLAIN_DESKTOP_CHROME.test(environment.userAgent);
  },
} satisfies FlagRow;
