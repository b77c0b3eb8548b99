import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { parseUserAgent } from "../user-agent.ts";

/** Chromium has `navigator.webdriver` in every build from this version on. */
const WEBDRIVER_SINCE = 90;

/**
 * A built-in that reveals a driver (`navigator.webdriver`, `Permissions.query`) was replaced,
 * wrapped or removed, according to a fresh frame's `toString`. Privacy extensions, core-js and
 * zone.js change other values. Old engines without the property are not scored.
 */
export const nativeTampered = {
  name: "native_tampered",
  group: "environment",
  label: "A function that reveals drivers was replaced.",
  weight: 3.5,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined) return false;
    const { engine, major } = parseUserAgent(environment.userAgent);
    const mustHave = engine === "chromium" && major !== null && major >= WEBDRIVER_SINCE;
    return environment.natives.some(({ found }) => found !== "missing" || mustHave);
  },
} satisfies FlagRow;
