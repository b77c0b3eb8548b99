import { FEATURE_NAMES } from "../trajectory/features.ts";
import { type TrajectoryModel, toTerms } from "../trajectory/model.ts";
import { fitLogistic } from "./logistic.ts";
import { fitWhitening } from "./whitening.ts";

/** One recorded path, as the trainer sees it. */
export type Example = {
  readonly features: Float64Array;
  readonly isBot: boolean;
  /** Who drew it: a person's name; for programs, one for each recording. */
  readonly subject: string;
  /** The program that drew it; "human" for people. */
  readonly generator: string;
  /** Whether it is an altered copy (`augment`) of a recorded one. */
  readonly isAltered: boolean;
};

/** Weight of the penalty, against samples that weigh 10,000 for people and as much for programs together. */
const PENALTY = 300;
const CLASS_WEIGHT = 10_000;
const ALTERED_WEIGHT = 0.7;

type Uncalibrated = Omit<TrajectoryModel, "version" | "calibration" | "exceeded">;

/**
 * What each example counts: people as much as programs together; of the programs, each by the root of its recordings, so
 * that neither three paths of a tool nor a thousand of a generator rule.
 */
function weightsOf(examples: readonly Example[]): number[] {
  const sizes = new Map<string, number>();
  const sizeOf = ({ isAltered }: Example): number => (isAltered ? ALTERED_WEIGHT : 1);
  for (const example of examples) {
    sizes.set(example.generator, (sizes.get(example.generator) ?? 0) + sizeOf(example));
  }
  const people = sizes.get("human") ?? 1;
  let roots = 0;
  for (const [generator, size] of sizes) if (generator !== "human") roots += Math.sqrt(size);
  return examples.map((example) => {
    const size = sizes.get(example.generator) ?? 1;
    return sizeOf(example) * CLASS_WEIGHT * (example.isBot ? 1 / (Math.sqrt(size) * roots) : 1 / people);
  });
}

/** Trains a model on examples of people and of at least one program. The same examples give the same model. */
export function trainModel(examples: readonly Example[]): Uncalibrated {
  const people = examples.filter(({ isBot }) => !isBot).map(({ features }) => features);
  const whitening = fitWhitening(people);
  const weights = weightsOf(examples);
  const samples = examples.map(({ features, isBot }, index) => ({
    terms: toTerms(whitening, features),
    label: isBot ? (1 as const) : (0 as const),
    weight: weights[index] ?? 0,
  }));
  const { coefficients } = fitLogistic(samples, PENALTY);
  return { features: FEATURE_NAMES, ...whitening, coefficients: Array.from(coefficients) };
}

/** A score that a model gave to an example it had not seen. */
export type Judged = { readonly score: number; readonly isBot: boolean };

/**
 * Slope and offset that turn scores into log-odds, people and programs taken for equally frequent (Platt 1999). Fitted on
 * what a model said of examples that it was not trained on; where people or programs are missing, scores stay as they are.
 */
export function calibrate(judged: readonly Judged[]): TrajectoryModel["calibration"] {
  const bots = judged.filter(({ isBot }) => isBot).length;
  if (bots === 0 || bots === judged.length) return { slope: 1, offset: 0 };
  const samples = judged.map(({ score, isBot }) => ({
    terms: Float64Array.of(score),
    label: isBot ? (1 as const) : (0 as const),
    weight: 1000 / (isBot ? bots : judged.length - bots),
  }));
  const [slope = 1, offset = 0] = fitLogistic(samples, 0).coefficients;
  return { slope, offset };
}
