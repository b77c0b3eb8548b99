import type { BrowserFacts } from "@stile/protocol/signals";
import { areDifferentBrowsers } from "./user-agent.ts";

/** Whether both places know their number of cores, and name different ones. */
export function doCoresDiffer(left: BrowserFacts, right: BrowserFacts): boolean {
  return left.cores !== null && right.cores !== null && left.cores !== right.cores;
}

/** Whether two places of one origin tell different stories; what either side can't say is neutral. */
export function doLocalsDiffer(left: BrowserFacts, right: BrowserFacts): boolean {
  if (areDifferentBrowsers(left.userAgent, right.userAgent) || doCoresDiffer(left, right)) return true;
  const hasPlatforms = left.platform !== "" && right.platform !== "";
  return hasPlatforms && left.platform !== right.platform;
}
