import { extractFeatures } from "@stile/risk/trajectory/features";
import type { TrajectoryModel } from "@stile/risk/trajectory/model";
import { createPathScorer } from "@stile/risk/trajectory/path-scorer";
import { preparePath } from "@stile/risk/trajectory/segment";
import { findAbstention } from "@stile/risk/trajectory/support";
import { quantile } from "../training/measures.ts";
import type { Recording } from "../training/read-examples.ts";

const PATHS = 1000;
const ROUNDS = 15;

/**
 * Microseconds of CPU from raw samples to log-odds, for paths that are scored: the fastest of many
 * rounds, to exclude the machine's other work.
 */
export function timePerPath(recordings: readonly Recording[], model: TrajectoryModel): number {
  const isScored = ({ events }: Recording): boolean => {
    const path = preparePath(events);
    return path !== undefined && findAbstention(path, model.support) === undefined;
  };
  const some = recordings
    .slice(0, 2 * PATHS)
    .filter(isScored)
    .slice(0, PATHS);
  const scorePath = createPathScorer(model);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (const { events } of some) {
      const path = preparePath(events);
      if (path !== undefined && findAbstention(path, model.support) === undefined) {
        scorePath(extractFeatures(path));
      }
    }
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / some.length);
  }
  return quantile(times, 0);
}
