import type { Support } from "./support.ts";

/** A tree of questions about features, which leads to a number. */
export type Tree = {
  /**
   * The splits, the root first: values up to `threshold` go to `low`, values above to `high`. `low`
   * and `high` are the index of another split, or -1 minus the index of a leaf.
   */
  readonly splits: readonly (readonly [
    feature: number,
    threshold: number,
    low: number,
    high: number,
  ])[];
  /** The amount that each leaf adds to the sum. */
  readonly leaves: readonly number[];
};

/** Boosted trees over features of paths, in the form of `model.json`. */
export type TrajectoryModel = {
  /** The version of the numbers below, so that events and reports can name the model. */
  readonly version: string;
  /** Names of the features, in order: a model for other features is refused. */
  readonly features: readonly string[];
  /** The paths that it scores: it was trained on nothing else. */
  readonly support: Support;
  readonly trees: readonly Tree[];
  /**
   * Log-odds of a program = slope * (sum of the trees) + offset, fitted on people and programs the
   * model had not seen.
   */
  readonly calibration: { readonly slope: number; readonly offset: number };
  /**
   * Measured on people the model had not seen, on synthetic copies of their devices: the log-odds
   * that the given share of them exceeds, in visits of one path, of two, ...; the last row holds
   * for all longer ones.
   */
  readonly exceeded: readonly Exceeded[];
};

/** Log-odds that a share of people's visits exceeds, each as [share, log-odds]. */
export type Exceeded = readonly (readonly [share: number, logOdds: number])[];

/**
 * The sum of the trees, before calibration, for trees used only a few times; for others, see
 * `prepareTrees`.
 */
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
