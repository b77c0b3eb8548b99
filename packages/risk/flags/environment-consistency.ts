import type { BrowserFacts, EnvironmentSignals } from "@stile/protocol/signals";
import { type Detector, knownEnvironment, requestUserAgent } from "../evidence.ts";
import { areDifferentBrowsers, parseUserAgent } from "../user-agent.ts";
import { uaChMismatch } from "./header-consistency.ts";

/** Whether frames of this browser may honestly report other cores than the page: Firefox and Brave disguise them. */
function mayDisguiseCores(environment: EnvironmentSignals): boolean {
  const isBrave = environment.clientHints?.brands.some(([name]) => name === "Brave") ?? false;
  return isBrave || parseUserAgent(environment.userAgent).engine !== "chromium";
}

function doCoresDiffer(left: BrowserFacts, right: BrowserFacts): boolean {
  return left.cores !== null && right.cores !== null && left.cores !== right.cores;
}

/** Whether two places of one origin tell different stories; what either side can't say is neutral. */
function doLocalsDiffer(left: BrowserFacts, right: BrowserFacts): boolean {
  if (areDifferentBrowsers(left.userAgent, right.userAgent) || doCoresDiffer(left, right)) return true;
  const hasPlatforms = left.platform !== "" && right.platform !== "";
  return hasPlatforms && left.platform !== right.platform;
}

/**
 * The solver's frame, or a fresh one of the page's own, sees another browser than the page: a disguise was put over the
 * page only. Compared are engine, version, system, `navigator.webdriver` and cores; across origins cores in Chromium
 * only. Extensions that disguise the user agent and leave out empty frames raise it too: a click is asked for, no block.
 */
export const iframeMismatch: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined) return false;
  const { blank, frame } = environment;
  const isDriven = [environment.webdriver, blank?.webdriver, frame?.webdriver];
  if (isDriven.includes(true) && isDriven.includes(false)) return true;
  if (blank !== null && doLocalsDiffer(environment, blank)) return true;
  if (frame === null) return false;
  if (areDifferentBrowsers(environment.userAgent, frame.userAgent)) return true;
  return doCoresDiffer(environment, frame) && !mayDisguiseCores(environment);
};

/**
 * A worker of the solver's frame sees another browser than that frame: scripts that disguise windows don't reach workers
 * (stealth plugins). Compared within one origin, so that disguises per origin (Brave) stay out. One lie counts once:
 * where page and frame already differ, it is silent. Extensions that disguise the user agent raise it: no block. Devices
 * with touch are not judged: whether "desktop site" reaches workers differs by version.
 */
export const workerMismatch: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined || environment.touchPoints > 0) return false;
  const { frame, worker } = environment;
  return frame !== null && worker !== null && doLocalsDiffer(frame, worker) && !iframeMismatch(evidence);
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
