import type { ObservedEnvironment } from "@stile/protocol/observed-signals";
import { doCoresDiffer, doLocalsDiffer } from "../browser-places.ts";
import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { areDifferentBrowsers, parseUserAgent } from "../user-agent.ts";

/**
 * Whether frames of this browser may honestly report another number of cores than the page: Firefox
 * and Brave disguise it.
 */
function mayDisguiseCores(environment: ObservedEnvironment): boolean {
  const isBrave = environment.clientHints?.brands.some(({ name }) => name === "Brave") ?? false;
  return isBrave || parseUserAgent(environment.userAgent).engine !== "chromium";
}

/**
 * The solver's frame, or a fresh frame of the page, sees another browser than the page: only the
 * page was disguised. Extensions that disguise the user agent and skip empty frames raise it.
 */
export const iframeMismatch = {
  name: "iframe_mismatch",
  group: "environment",
  label: "A frame reports a different browser from the page.",
  weight: 2.6,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined) return false;
    const { blank, frame } = environment;
    const isDriven = [environment.webdriver, blank?.webdriver, frame?.webdriver];
    if (isDriven.includes(true) && isDriven.includes(false)) return true;
    if (blank !== null && doLocalsDiffer(environment, blank)) return true;
    if (frame === null) return false;
    if (areDifferentBrowsers(environment.userAgent, frame.userAgent)) return true;
    return doCoresDiffer(environment, frame) && !mayDisguiseCores(environment);
  },
} satisfies FlagRow;
