import type { Exceeded, TrajectoryModel } from "./model.ts";

/** The grade at each point of a model's row. Alone, 0.7 is a score of 0.30. */
const POINTS = [0, 0.7, 1] as const;

function toPoints(row: Exceeded): Point[] {
  if (row.length !== POINTS.length)
    throw new Error(
      `a row of the trajectory model needs ${POINTS.length} points and has ${row.length}`,
    );
  return POINTS.map((grade, at) => ({ at: row[at]?.[1] ?? Number.POSITIVE_INFINITY, grade }));
}

/**
 * The possible grades, highest first: a value between two of them counts as the lower. Somebody who
 * reads scores back, perhaps of their own site, sees stairs and no slope to climb. No visit gets a
 * higher grade by this.
 */
export const GRADES = [1, 0.7, 0.35, 0] as const;

/** A grade interpolated on straight lines may miss its exact value by rounding. */
const ROUNDING = 1e-9;

const toStep = (grade: number): number => GRADES.find((step) => step <= grade + ROUNDING) ?? 0;

type Point = { readonly at: number; readonly grade: number };

function gradeOf(points: readonly Point[], logOdds: number): number {
  let before: Point | undefined;
  for (const point of points) {
    if (logOdds < point.at) {
      if (before === undefined) return 0;
      return (
        before.grade +
        ((logOdds - before.at) / (point.at - before.at)) * (point.grade - before.grade)
      );
    }
    before = point;
  }
  return 1;
}

/**
 * Turns the log-odds of a visit of that many paths into the grade of `trajectory_bot`: 0 up to what
 * one in twenty of people's visits exceeds, 0.7 at the next point of the model, and 1 from one in a
 * thousand on; in between, the last of GRADES that a straight line has passed. The mean of several
 * paths varies less, so it needs to be less extreme to be as rare.
 */
export function createGrading({
  exceeded,
}: Pick<TrajectoryModel, "exceeded">): (logOdds: number, paths: number) => number {
  const rows = exceeded.map(toPoints);
  return (logOdds, paths) => toStep(gradeOf(rows[Math.min(paths, rows.length) - 1] ?? [], logOdds));
}
