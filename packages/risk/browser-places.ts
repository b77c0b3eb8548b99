import type { BrowserFacts } from "@stile/protocol/signals";
import { areDifferentBrowsers } from "./user-agent.ts";

/** Whether both places report their number of cores, and the numbers differ. */
export function doCoresDiffer(left: BrowserFacts, right: BrowserFacts): boolean {
  return left.cores !== null && right.cores !== null && left.cores !== right.cores;
}

/**
 * Whether two places of one origin contradict each other. A value that one side can't report is
 * neutral.
 */
export function doLocalsDiffer(left: BrowserFacts, right: BrowserFacts): boolean {
  if (areDifferentBrowsers(left.userAgent, right.userAgent) || doCoresDiffer(left, right))
    return true;
  const hasPlatforms = left.platform !== "" && right.platform !== "";
  return hasPlatforms && left.platform !== right.platform;
}
