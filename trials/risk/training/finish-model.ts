import { FEATURE_NAMES } from "@stile/risk/trajectory/features";
import type { TrajectoryModel } from "@stile/risk/trajectory/model";
import { type HeldOut, holdOutPeople } from "./cross-validation.ts";
import { SCORED_ONLY, SUPPORT } from "./examples.ts";
import { bySource, isOn, type Kind } from "./kinds.ts";
import { thresholdAt } from "./measures.ts";
import { calibrate, type TrainingSet, trainTrees } from "./train.ts";
import { toVisits } from "./visits.ts";

/** Digits kept of each number: more would change no score. */
const DIGITS = 5;
const short = (value: number): number => Number(value.toPrecision(DIGITS));

/**
 * The shares of people's visits that may exceed each point (`createGrading`), for visits of one
 * path, of two, and of three or more. On a kind of device that nobody thought of, all paths of a
 * visit are odd in the same way, while their mean varies less: the more paths, the more room the
 * point of a click needs.
 */
const EXCEEDED = [
  [0.05, 0.004, 0.001],
  [0.05, 0.003, 0.001],
  [0.05, 0.002, 0.001],
] as const;
/** How often a person's paths are recombined into visits. */
const ROUNDS = 5;

/**
 * The points of the grading, from people on devices of each kind (`toKinds`), scored by models that
 * saw neither: visitors bring devices that nobody recorded, and a false alarm costs more than a
 * program that is only asked for a click. The shares hold on each kind, and for each large
 * collection of people, separately: practised hands are unlike others.
 */
export function measureExceeded(
  kinds: readonly (readonly HeldOut[])[],
): TrajectoryModel["exceeded"] {
  return EXCEEDED.map((shares, at) => {
    const paths = at + 1;
    const visits = kinds
      .flatMap((kind) => [kind, ...bySource(kind)])
      .map((kind) => toVisits(kind, paths, paths === 1 ? 1 : ROUNDS))
      .filter(({ length }) => length > 0);
    return shares.map(
      (share) =>
        [share, short(Math.max(...visits.map((kind) => thresholdAt(kind, share))))] as const,
    );
  });
}

/** The points of the grading, from people as they were recorded and on devices of each kind. */
export const measurePoints = (
  kinds: readonly Kind[],
  scored: readonly HeldOut[],
): TrajectoryModel["exceeded"] =>
  measureExceeded([
    scored.filter(({ isBot, origin }) => !isBot && origin.device === undefined),
    ...kinds.map((kind) => scored.filter(isOn(kind))),
  ]);

/**
 * Trains the model that is shipped, all but its version. Calibration and points come from people
 * held out, the points on `kinds` of devices.
 */
export function finishModel(
  set: TrainingSet,
  kinds: readonly Kind[],
): Omit<TrajectoryModel, "version"> {
  const scored = holdOutPeople(
    set,
    kinds.flatMap(({ examples }) => examples),
  );
  const recorded = scored.filter(
    ({ origin }) => origin.device === undefined && !SCORED_ONLY.includes(origin.generator),
  );
  const { slope, offset } = calibrate(recorded.map(({ raw, isBot }) => ({ score: raw, isBot })));
  const calibration = { slope: short(slope), offset: short(offset) };
  const calibrated = scored.map((it) => ({
    ...it,
    score: calibration.slope * it.raw + calibration.offset,
  }));
  return {
    features: FEATURE_NAMES,
    support: SUPPORT,
    trees: trainTrees(set, ({ generator }) => !SCORED_ONLY.includes(generator)),
    calibration,
    exceeded: measurePoints(kinds, calibrated),
  };
}
