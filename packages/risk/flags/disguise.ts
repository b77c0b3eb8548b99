import { type Detector, knownEnvironment } from "../evidence.ts";
import { parseUserAgent } from "../user-agent.ts";

/** Chromium has had `navigator.webdriver` in every build since this version. */
const WEBDRIVER_SINCE = 90;

/**
 * A built-in that tells of a driver (`navigator.webdriver`, `Permissions.query`) was replaced, wrapped or removed; its
 * text was read with a fresh frame's `toString`. Who wants to be left alone changes other things: privacy extensions
 * rewrite user agent, languages and cores, which is not looked at; core-js and zone.js replace `toString` itself, which
 * is not used. Old engines that lack the property are not judged.
 */
export const nativeTampered: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined) return false;
  const { engine, major } = parseUserAgent(environment.userAgent);
  const mustHave = engine === "chromium" && major !== null && major >= WEBDRIVER_SINCE;
  return environment.natives.some(([, found]) => found !== "missing" || mustHave);
};

/** Chrome's own user agent on a desktop; the suffixes of forks, shells and frameworks make it another's. */
const PLAIN_DESKTOP_CHROME =
  /^Mozilla\/5\.0 \((?:Windows NT|Macintosh;|X11;)[^)]{1,60}\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/[1-9]\d\d\.[\d.]{1,16} Safari\/537\.36$/;

/**
 * Desktop Chrome without `window.chrome`: the headless shell in a borrowed user agent (3 of 3 sessions). Views inside
 * programs (CEF, Qt) may lack it too and mostly name themselves: small weight.
 */
export const chromeSurfaceMissing: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  return environment?.chrome === null && PLAIN_DESKTOP_CHROME.test(environment.userAgent);
};

/**
 * Chromium says that notifications are denied and, asked another way, that the visitor has not been asked: the headless
 * shell (3 of 3 sessions). In frames and on pages that are not secure the two differ for good reasons: not judged.
 */
export const permissionMismatch: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined || environment.permission === null) return false;
  if (environment.isFramed || !environment.isSecure) return false;
  const [shown, asked] = environment.permission;
  return parseUserAgent(environment.userAgent).engine === "chromium" && shown === "denied" && asked === "prompt";
};
