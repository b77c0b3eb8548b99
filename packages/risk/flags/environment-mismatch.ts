import { knownEnvironment, requestUserAgent } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { areDifferentBrowsers } from "../user-agent.ts";
import { uaChMismatch } from "./ua-ch-mismatch.ts";

/**
 * The page reports another browser than the user agent of its request: the signals are synthetic or
 * copied. One lie counts once: if user agent and client hints already contradict each other, this
 * flag is silent.
 */
export const environmentMismatch = {
  name: "environment_mismatch",
  group: "environment",
  label: "The page and the request report different browsers.",
  weight: 2.3,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    const userAgent = requestUserAgent(evidence);
    if (environment === undefined || userAgent === undefined) return false;
    return areDifferentBrowsers(userAgent, environment.userAgent) && !uaChMismatch.detect(evidence);
  },
} satisfies FlagRow;
