import { COMMAND_LINE } from "../command-line.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { readFlagWeights } from "../risk/flag-weights-file.ts";
import { openNetworkLists } from "../risk/network-list-files.ts";
import type { Logger } from "../telemetry/log.ts";

/**
 * The operator's files that shape the risk score. A damaged one in the data directory stops the
 * start.
 */
export function composeRisk(directory: DataDirectory, log: Logger) {
  const inForce = readFlagWeights(directory);
  if (inForce.kind === "outdated")
    log.warn(
      `risk-weights.json was trained for other flags and is ignored. Run: ${COMMAND_LINE} risk train`,
    );
  return {
    networkLists: openNetworkLists(directory),
    flagWeights: inForce.kind === "own" ? inForce.weights : undefined,
  };
}
