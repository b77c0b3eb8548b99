import type { Scored } from "@stile/risk/training/area-under-curve";
import { sumTrees, type TrajectoryModel } from "@stile/risk/trajectory/model";
import type { Regime } from "./device-copies.ts";
import { type Abstained, type Example, SCORED_ONLY } from "./examples.ts";
import { calibrate, type TrainingSet, trainTrees } from "./train.ts";

/** A model's score for a path that it was not trained on. */
export type HeldOut = Scored & {
  readonly origin: Omit<Example, "features">;
  /** The score before calibration. */
  readonly raw: number;
};

/** Into how many parts the folds are grouped when people are held out. */
const PEOPLES_PARTS = 5;
/** The same when something else is held out too: each such case needs as many trainings. */
const PARTS = 2;

const isTrained = ({ generator }: Example): boolean => !SCORED_ONLY.includes(generator);

/** Paths that the model does not score, as scored paths: they are never above any threshold. */
export const standDown = (abstained: readonly Abstained[]): HeldOut[] =>
  abstained.map((origin) => ({
    ...{ origin, isBot: origin.isBot },
    ...{ raw: Number.NEGATIVE_INFINITY, score: Number.NEGATIVE_INFINITY },
  }));

/** The trees' scores for examples. */
export const scoreAll = (
  { trees, calibration: { slope, offset } }: Pick<TrajectoryModel, "trees" | "calibration">,
  examples: readonly Example[],
): HeldOut[] =>
  examples.map(({ features, ...origin }) => {
    const raw = sumTrees(trees, features);
    return { origin, isBot: origin.isBot, raw, score: slope * raw + offset };
  });

const RAW: TrajectoryModel["calibration"] = { slope: 1, offset: 0 };

/**
 * The paths that a held-out evaluation trains on, apart from those of the evaluated part, and those
 * that it scores.
 */
type Choice = {
  readonly isSeen: (example: Example) => boolean;
  readonly isScored: (example: Example) => boolean;
};

/**
 * Scores each part of the folds by trees that saw none of it: neither its people nor its
 * recordings.
 */
function scoreParts(
  set: TrainingSet,
  scored: readonly Example[],
  parts: number,
  choice: Choice,
): HeldOut[] {
  const folds = set.examples.reduce((most, { fold }) => Math.max(most, fold + 1), 0);
  const count = Math.min(parts, folds);
  return Array.from({ length: count }, (_, part) => {
    const isIn = ({ fold }: Example): boolean => fold % count === part;
    const trees = trainTrees(
      set,
      (example) => !isIn(example) && isTrained(example) && choice.isSeen(example),
    );
    const held = scored.filter((example) => isIn(example) && choice.isScored(example));
    return scoreAll({ trees, calibration: RAW }, held);
  }).flat();
}

/** Calibrates the scores of each part by the scores of the other parts. */
function calibrateByOthers(scored: readonly HeldOut[]): HeldOut[] {
  const isOf = (part: number, { origin }: HeldOut): boolean => origin.fold % PEOPLES_PARTS === part;
  const isRecorded = ({ origin }: HeldOut): boolean =>
    origin.device === undefined && isTrained(origin as Example);
  return Array.from({ length: PEOPLES_PARTS }, (_, part) => {
    const others = scored.filter((it) => !isOf(part, it) && isRecorded(it));
    const { slope, offset } = calibrate(others.map(({ raw, isBot }) => ({ score: raw, isBot })));
    return scored
      .filter((it) => isOf(part, it))
      .map((it) => ({ ...it, score: slope * it.raw + offset }));
  }).flat();
}

/**
 * Scores every example, and `more` that are only scored, by models that saw neither its person nor
 * its recording.
 */
export function holdOutPeople(set: TrainingSet, more: readonly Example[] = []): HeldOut[] {
  const all = { isSeen: () => true, isScored: () => true };
  return calibrateByOthers(scoreParts(set, [...set.examples, ...more], PEOPLES_PARTS, all));
}

/**
 * Scores all people's recordings, and those of a program, by models that saw neither that program
 * nor those people.
 */
export const holdOutGenerator = (set: TrainingSet, left: string): HeldOut[] =>
  scoreParts(set, set.examples, PARTS, {
    isSeen: ({ generator }) => generator !== left,
    isScored: ({ isBot, generator, device }) =>
      device === undefined && (!isBot || generator === left),
  });

/**
 * Scores people's copies on all kinds of devices, and `more`, by models that saw neither these
 * people nor that kind.
 */
export const holdOutRegime = (
  set: TrainingSet,
  left: Regime,
  more: readonly Example[] = [],
): HeldOut[] =>
  scoreParts(set, [...set.examples, ...more], PARTS, {
    isSeen: ({ device }) => device === undefined || !device.regimes.includes(left),
    isScored: ({ isBot, device }) => !isBot && device !== undefined,
  });
