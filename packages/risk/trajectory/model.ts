/** A logistic model over features of paths, as it lies in `model.json`. */
export type TrajectoryModel = {
  /** Names the numbers below: events and reports say which model judged. */
  readonly version: string;
  /** Names of the features, in order: a model for other features is refused. */
  readonly features: readonly string[];
  /** Mean and spread of each feature among people. */
  readonly mean: readonly number[];
  readonly spread: readonly number[];
  /** Rows that turn standardised features into uncorrelated ones of equal size (among people), one row each. */
  readonly whitening: readonly (readonly number[])[];
  /** One per term of `toTerms`, for the terms as they are; then the constant. */
  readonly coefficients: readonly number[];
  /** Log-odds of a program = slope * (sum of the terms) + offset, fitted on people and programs the model had not seen. */
  readonly calibration: { readonly slope: number; readonly offset: number };
  /**
   * By people the model had not seen, on devices made up from theirs: which log-odds the given share of them exceeds, in
   * visits of one path, of two, ...; the last row holds for all longer ones.
   */
  readonly exceeded: readonly Exceeded[];
};

/** Log-odds that a share of people's visits exceeds, each as [share, log-odds]. */
export type Exceeded = readonly (readonly [share: number, logOdds: number])[];

/** The part of a model that judges one path. */
export type PathJudge = Pick<TrajectoryModel, "mean" | "spread" | "whitening" | "coefficients" | "calibration">;

/** Beyond so many standard deviations a feature says no more: a device we never saw must not count as a program for it. */
const CLIP = 3;
const WHITE_CLIP = 4;
const WIDE_CLIP = 8;

/** How many terms a model over `features` features has. */
export const termCount = (features: number): number => 6 * features;

/**
 * The terms of the model: each standardised feature and each uncorrelated combination, with its size and its square. The
 * combinations see what no single feature shows: numbers that are usual alone and never seen together.
 */
export function toTerms(
  model: Pick<TrajectoryModel, "mean" | "spread" | "whitening">,
  features: Float64Array,
): Float64Array {
  const n = features.length;
  const terms = new Float64Array(termCount(n));
  const wide = new Float64Array(n);
  const put = (at: number, value: number): void => {
    terms[at] = value;
    terms[2 * n + at] = Math.abs(value);
    terms[4 * n + at] = value * value;
  };
  for (let i = 0; i < n; i++) {
    const z = ((features[i] ?? 0) - (model.mean[i] ?? 0)) / (model.spread[i] ?? 1);
    wide[i] = Math.max(-WIDE_CLIP, Math.min(WIDE_CLIP, z));
    put(i, Math.max(-CLIP, Math.min(CLIP, z)));
  }
  for (let row = 0; row < n; row++) {
    const weights = model.whitening[row] ?? [];
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (weights[i] ?? 0) * (wide[i] ?? 0);
    put(n + row, Math.max(-WHITE_CLIP, Math.min(WHITE_CLIP, sum)));
  }
  return terms;
}

/** Calibrated log-odds that a program drew the path: above 0 is more likely a program than a person. */
export function judgePath(model: PathJudge, features: Float64Array): number {
  const terms = toTerms(model, features);
  let sum = model.coefficients[terms.length] ?? 0;
  for (let i = 0; i < terms.length; i++) sum += (model.coefficients[i] ?? 0) * (terms[i] ?? 0);
  return model.calibration.slope * sum + model.calibration.offset;
}
