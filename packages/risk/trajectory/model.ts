import type { Support } from "./support.ts";

/** A question to one feature after the other, which leads to a number. */
export type Tree = {
  /**
   * Where the way parts, from the first on: at most `threshold` goes low, above it high. `low` and `high` are the number of
   * another split, or -1 - the number of a leaf.
   */
  readonly splits: readonly (readonly [feature: number, threshold: number, low: number, high: number])[];
  /** What each leaf adds to the sum. */
  readonly leaves: readonly number[];
};

/** Boosted trees over features of paths, as they lie in `model.json`. */
export type TrajectoryModel = {
  /** Names the numbers below: events and reports say which model judged. */
  readonly version: string;
  /** Names of the features, in order: a model for other features is refused. */
  readonly features: readonly string[];
  /** What it judges; it was trained on nothing else. */
  readonly support: Support;
  readonly trees: readonly Tree[];
  /** Log-odds of a program = slope * (sum of the trees) + offset, fitted on people and programs the model had not seen. */
  readonly calibration: { readonly slope: number; readonly offset: number };
  /**
   * By people the model had not seen, on devices made up from theirs: which log-odds the given share of them exceeds, in
   * visits of one path, of two, ...; the last row holds for all longer ones.
   */
  readonly exceeded: readonly Exceeded[];
};

/** Log-odds that a share of people's visits exceeds, each as [share, log-odds]. */
export type Exceeded = readonly (readonly [share: number, logOdds: number])[];

/** What the trees say together, before calibration; for trees that are asked a few times. `prepareTrees` is for those that stay. */
export function sumTrees(trees: readonly Tree[], features: Float64Array): number {
  let sum = 0;
  for (const { splits, leaves } of trees) {
    let at = 0;
    while (at >= 0) {
      const split = splits[at];
      if (split === undefined) break;
      at = (features[split[0]] ?? 0) <= split[1] ? split[2] : split[3];
    }
    sum += leaves[-1 - at] ?? 0;
  }
  return sum;
}
