import { doLocalsDiffer } from "../browser-places.ts";
import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { mayBeHandheld } from "../handheld.ts";
import { iframeMismatch } from "./iframe-mismatch.ts";

/**
 * A worker of the solver's frame sees another browser than that frame, because scripts that
 * disguise windows don't reach workers (stealth plugins). One lie counts once: if page and frame
 * already differ, this flag is silent. Extensions that disguise the user agent raise it. Touch
 * devices that may be tablets are not scored.
 */
export const workerMismatch = {
  name: "worker_mismatch",
  group: "environment",
  label: "A worker reports a different browser from its page.",
  weight: 2.6,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || mayBeHandheld(environment)) return false;
    const { frame, worker } = environment;
    return (
      frame !== null &&
      worker !== null &&
      doLocalsDiffer(frame, worker) &&
      !iframeMismatch.detect(evidence)
    );
  },
} satisfies FlagRow;
