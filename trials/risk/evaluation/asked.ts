import { createGrading } from "@stile/risk/trajectory/grading";
import type { TrajectoryModel } from "@stile/risk/trajectory/model";
import type { HeldOut } from "../training/cross-validation.ts";
import { toVisits } from "../training/visits.ts";
import { type Figure, withInterval } from "./intervals.ts";

/** The grade of `trajectory_bot` that alone leads to a score of 0.30. */
const ASKED_GRADE = 0.7;
/** The number of paths in the longer visits that are examined. */
const VISIT_PATHS = 3;
const ROUNDS = 3;

/**
 * The visitors who would be asked for a click: shares of visits that `trajectory_bot` alone raises
 * to a score of 0.30.
 */
export type Asked = {
  readonly abstained: number;
  readonly one_path: Figure;
  readonly three_paths: Figure;
};

const share = (some: readonly HeldOut[], holds: (it: HeldOut) => boolean): number =>
  some.length === 0 ? Number.NaN : some.filter(holds).length / some.length;

/**
 * The share of visits of one path and of three that would be asked, counting those that the model
 * does not score.
 */
export function measureAsked(
  scored: readonly HeldOut[],
  model: Pick<TrajectoryModel, "exceeded">,
): Asked {
  const grade = createGrading(model);
  const isAsked = (visit: HeldOut & { readonly paths?: number }): boolean => {
    const paths = visit.paths ?? 1;
    return paths > 0 && Number.isFinite(visit.score) && grade(visit.score, paths) >= ASKED_GRADE;
  };
  const measure = (some: readonly HeldOut[]): number => share(some, isAsked);
  return {
    abstained: Number(share(scored, ({ score }) => !Number.isFinite(score)).toFixed(4)),
    one_path: withInterval(scored, measure),
    three_paths: withInterval(toVisits(scored, VISIT_PATHS, ROUNDS), measure),
  };
}
