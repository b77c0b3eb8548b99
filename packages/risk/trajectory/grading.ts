import type { TrajectoryModel } from "./model.ts";

/** Share of people's paths that may exceed a path's log-odds, and the grade it then has. Alone, 0.7 is a score of 0.30. */
const STEPS: readonly (readonly [share: number, grade: number])[] = [
  [0.05, 0],
  [0.005, 0.7],
  [0.001, 1],
];

function exceededBy(exceeded: TrajectoryModel["exceeded"], share: number): number {
  const found = exceeded.find(([known]) => known === share);
  if (found === undefined) throw new Error(`the trajectory model does not say what ${share} of people exceed`);
  return found[1];
}

/**
 * A model's log-odds to the grade of `trajectory_bot`: 0 up to what one path in twenty of people exceeds, 0.7 at one in two
 * hundred, and 1 from one in a thousand on; in straight lines between.
 */
export function createGrading({ exceeded }: Pick<TrajectoryModel, "exceeded">): (logOdds: number) => number {
  const points = STEPS.map(([share, grade]) => ({ at: exceededBy(exceeded, share), grade }));
  return (logOdds) => {
    let before: (typeof points)[number] | undefined;
    for (const point of points) {
      if (logOdds < point.at) {
        if (before === undefined) return 0;
        return before.grade + ((logOdds - before.at) / (point.at - before.at)) * (point.grade - before.grade);
      }
      before = point;
    }
    return 1;
  };
}
