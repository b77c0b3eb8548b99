import type { Exceeded, TrajectoryModel } from "./model.ts";

/** Share of people's visits that exceed a visit's log-odds, and the grade for that. 0.7 alone leads to 0.30. */
const STEPS: readonly (readonly [share: number, grade: number])[] = [
  [0.05, 0],
  [0.005, 0.7],
  [0.001, 1],
];

function exceededBy(exceeded: Exceeded, share: number): number {
  const found = exceeded.find(([known]) => known === share);
  if (found === undefined) throw new Error(`the trajectory model does not say what ${share} of people exceed`);
  return found[1];
}

/**
 * The possible grades, highest first: a value between two of them counts as the lower. Somebody who reads scores back,
 * perhaps of their own site, sees stairs and no slope to climb; and no visit gets a higher grade by this.
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
      return before.grade + ((logOdds - before.at) / (point.at - before.at)) * (point.grade - before.grade);
    }
    before = point;
  }
  return 1;
}

/**
 * Turns the log-odds of a visit of that many paths into the grade of `trajectory_bot`: 0 up to what one in twenty of
 * people's visits exceeds, 0.7 at one in two hundred, and 1 from one in a thousand on; in between, the last of GRADES
 * that a straight line has passed. The mean of several paths varies less, so it needs to be less extreme to be as rare.
 */
export function createGrading({
  exceeded,
}: Pick<TrajectoryModel, "exceeded">): (logOdds: number, paths: number) => number {
  const rows = exceeded.map((row) => STEPS.map(([share, grade]) => ({ at: exceededBy(row, share), grade })));
  return (logOdds, paths) => toStep(gradeOf(rows[Math.min(paths, rows.length) - 1] ?? [], logOdds));
}
