import { FEATURE_NAMES } from "../trajectory/features.ts";
import { type TrajectoryModel, toTerms } from "../trajectory/model.ts";
import { mean } from "../trajectory/statistics.ts";
import { fitLogistic, type Level, type Sample } from "./logistic.ts";
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

/** Weight of the penalty on what tells one person from others; more would cost true positives for little. */
const LEVEL_WEIGHT = 500;

/** Rounds in which people who are misjudged more than others gain weight, by which power of how much more, and within what. */
const HARDSHIP_ROUNDS = 3;
const HARDSHIP_POWER = 0.7;
const HARDSHIP_MIN = 0.5;
const HARDSHIP_MAX = 4;

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

type Row = Sample & { readonly example: Example };

function bySubject(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.example.subject);
    if (group === undefined) groups.set(row.example.subject, [row]);
    else group.push(row);
  }
  return groups;
}

/** How each person's mean terms differ from everybody's: along these lines the model would tell people apart. */
function personLevels(rows: readonly Row[]): Level[] {
  const people = rows.filter(({ label }) => label === 0);
  const meanOf = (some: readonly Row[]): Float64Array => {
    const sum = new Float64Array(some[0]?.terms.length ?? 0);
    for (const { terms } of some) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (terms[i] ?? 0);
    return sum.map((value) => value / some.length);
  };
  const common = meanOf(people);
  return [...bySubject(people).values()].map((own) => ({
    difference: meanOf(own).map((value, i) => value - (common[i] ?? 0)),
    weight: (LEVEL_WEIGHT * own.length) / people.length,
  }));
}

/** The same rows, with people whom the model takes for programs more than others weighing more, all people together as before. */
function reweigh(rows: readonly Row[], coefficients: Float64Array): Row[] {
  const lossOf = ({ terms }: Row): number => {
    let sum = coefficients[terms.length] ?? 0;
    for (let i = 0; i < terms.length; i++) sum += (coefficients[i] ?? 0) * (terms[i] ?? 0);
    return sum > 30 ? sum : Math.log1p(Math.exp(sum));
  };
  const people = bySubject(rows.filter(({ label }) => label === 0));
  const losses = new Map([...people].map(([subject, own]) => [subject, mean(own.map(lossOf))]));
  const usual = mean([...losses.values()]);
  const factorOf = ({ label, example }: Row): number => {
    if (label === 1) return 1;
    const factor = ((losses.get(example.subject) ?? usual) / usual) ** HARDSHIP_POWER;
    return Math.min(HARDSHIP_MAX, Math.max(HARDSHIP_MIN, factor));
  };
  let [before, after] = [0, 0];
  for (const row of rows) {
    if (row.label === 1) continue;
    before += row.weight;
    after += row.weight * factorOf(row);
  }
  return rows.map((row) => (row.label === 1 ? row : { ...row, weight: (row.weight * factorOf(row) * before) / after }));
}

/** Trains a model on examples of people and of at least one program. The same examples give the same model. */
export function trainModel(examples: readonly Example[]): Uncalibrated {
  const people = examples.filter(({ isBot }) => !isBot).map(({ features }) => features);
  const whitening = fitWhitening(people);
  const weights = weightsOf(examples);
  const rows = examples.map((example, index) => ({
    example,
    terms: toTerms(whitening, example.features),
    label: example.isBot ? (1 as const) : (0 as const),
    weight: weights[index] ?? 0,
  }));
  const levels = personLevels(rows);
  let { coefficients } = fitLogistic(rows, PENALTY, levels);
  for (let round = 0; round < HARDSHIP_ROUNDS; round++) {
    coefficients = fitLogistic(reweigh(rows, coefficients), PENALTY, levels).coefficients;
  }
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
