import type { TrajectoryModel } from "./model.ts";
import { prepareTrees } from "./tree-sum.ts";

/** The part of a model that scores one path. */
type Scoring = Pick<TrajectoryModel, "trees" | "calibration">;

/**
 * Prepares a function for the calibrated log-odds that a program drew a path: above 0, that is more
 * likely than not.
 */
export function createPathScorer({
  trees,
  calibration,
}: Scoring): (features: Float64Array) => number {
  const sumOf = prepareTrees(trees);
  return (features) => calibration.slope * sumOf(features) + calibration.offset;
}
