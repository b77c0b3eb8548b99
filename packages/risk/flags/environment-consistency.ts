import type { EnvironmentSignals } from "@stile/protocol/signals";
import { type Detector, knownEnvironment, requestUserAgent } from "../evidence.ts";
import { areDifferentBrowsers, parseUserAgent } from "../user-agent.ts";
import { uaChMismatch } from "./header-consistency.ts";

/** Whether frames of this browser may honestly report other cores than the page: Firefox and Brave disguise them. */
function mayDisguiseCores(environment: EnvironmentSignals): boolean {
  const isBrave = environment.clientHints?.brands.some(([name]) => name === "Brave") ?? false;
  return isBrave || parseUserAgent(environment.userAgent).engine !== "chromium";
}

/**
 * The solver's frame sees another browser than the page: a disguise was put over the page only. Compared are engine,
 * version, system, `navigator.webdriver` and, in Chromium, cores; what either side can't say is neutral.
 */
export const iframeMismatch: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  const frame = environment?.frame;
  if (environment === undefined || frame === null || frame === undefined) return false;
  if (areDifferentBrowsers(environment.userAgent, frame.userAgent)) return true;
  const isDriven = [environment.webdriver, frame.webdriver];
  if (isDriven.includes(true) && isDriven.includes(false)) return true;
  if (environment.cores === null || frame.cores === null || mayDisguiseCores(environment)) return false;
  return environment.cores !== frame.cores;
};

/**
 * The page reports another browser than its request's user agent: signals made up or carried over from elsewhere. One
 * lie counts once: where user agent and client hints already contradict each other (a user-agent switcher), it is silent.
 */
export const environmentMismatch: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  const userAgent = requestUserAgent(evidence);
  if (environment === undefined || userAgent === undefined) return false;
  return areDifferentBrowsers(userAgent, environment.userAgent) && !uaChMismatch(evidence);
};
