import type { Scored } from "@stile/risk/training/area-under-curve";
import { fitLogistic } from "@stile/risk/training/logistic";
import type { TrajectoryModel, Tree } from "@stile/risk/trajectory/model";
import { type BinnedRows, binRows, boostTrees } from "./boosted-trees.ts";
import type { Example } from "./examples.ts";

/**
 * Examples with their features cut into bins, which is done once for all trainings on parts of
 * them.
 */
export type TrainingSet = { readonly examples: readonly Example[]; readonly binned: BinnedRows };

/** Cuts the features of examples into bins; the labels play no part in it. */
export const toTrainingSet = (examples: readonly Example[]): TrainingSet => ({
  examples,
  binned: binRows(examples.map(({ features }) => features)),
});

/**
 * Copies on synthetic devices weigh less than recordings: enough to learn other devices, too little
 * to learn copying.
 */
const COPY_WEIGHT = 0.2;

/**
 * People weigh this many times as much as all programs: the important cases are those where one
 * person in hundreds is scored wrong.
 */
const PEOPLES_WEIGHT = 3;

/**
 * How much each example counts: people PEOPLES_WEIGHT times as much as programs together; each
 * program by the square root of the number of its recordings, so that neither a tool with three
 * paths nor a generator with a thousand dominates. A program's examples count 1 on average.
 */
function weightsOf(examples: readonly Example[], rows: Int32Array): Float64Array {
  const sizes = new Map<string, number>();
  const sizeOf = ({ device }: Example): number => (device === undefined ? 1 : COPY_WEIGHT);
  for (const row of rows) {
    const example = examples[row] as Example;
    sizes.set(example.generator, (sizes.get(example.generator) ?? 0) + sizeOf(example));
  }
  const people = sizes.get("human") ?? 1;
  let roots = 0;
  for (const [generator, size] of sizes) if (generator !== "human") roots += Math.sqrt(size);
  const weights = new Float64Array(examples.length);
  for (const row of rows) {
    const example = examples[row] as Example;
    const size = sizes.get(example.generator) ?? 1;
    const share = example.isBot ? 1 / (Math.sqrt(size) * roots) : PEOPLES_WEIGHT / people;
    weights[row] = (rows.length / 2) * sizeOf(example) * share;
  }
  return weights;
}

/**
 * Trains on those examples of people and programs that `isSeen` accepts. The same examples give the
 * same trees.
 */
export function trainTrees(
  { examples, binned }: TrainingSet,
  isSeen: (example: Example) => boolean,
): Tree[] {
  const rows = Int32Array.from(examples.flatMap((example, row) => (isSeen(example) ? [row] : [])));
  const labels = Uint8Array.from(examples, ({ isBot }) => (isBot ? 1 : 0));
  return boostTrees(binned, { rows, labels, weights: weightsOf(examples, rows) });
}

/**
 * Slope and offset that turn scores into log-odds, with people and programs counted as equally
 * frequent (Platt 1999). Fitted on scores of examples that the model was not trained on; if people
 * or programs are missing, scores stay as they are.
 */
export function calibrate(scored: readonly Scored[]): TrajectoryModel["calibration"] {
  const bots = scored.filter(({ isBot }) => isBot).length;
  if (bots === 0 || bots === scored.length) return { slope: 1, offset: 0 };
  const samples = scored.map(({ score, isBot }) => ({
    terms: Float64Array.of(score),
    label: isBot ? (1 as const) : (0 as const),
    weight: 1000 / (isBot ? bots : scored.length - bots),
  }));
  const [slope = 1, offset = 0] = fitLogistic(samples, 0).coefficients;
  return { slope, offset };
}
