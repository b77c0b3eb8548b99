import type { DataDirectory } from "../data-directory/data-directory.ts";
import { readFlagWeights } from "../risk/flag-weights-file.ts";
import { openNetworkLists } from "../risk/network-list-files.ts";
import type { Logger } from "../telemetry/log.ts";

/** By what the operator shapes the risk score; what lies damaged in the data directory stops the start. */
export function composeRisk(directory: DataDirectory, log: Logger) {
  const inForce = readFlagWeights(directory);
  if (inForce.kind === "outdated") log.warn("risk-weights.json was fitted to another table and is not used");
  return {
    networkLists: openNetworkLists(directory),
    flagWeights: inForce.kind === "own" ? inForce.weights : undefined,
  };
}
