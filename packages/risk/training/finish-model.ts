import { FEATURE_NAMES } from "../trajectory/features.ts";
import type { TrajectoryModel } from "../trajectory/model.ts";
import { type HeldOut, holdOutPeople } from "./cross-validation.ts";
import { REGIMES } from "./device-copies.ts";
import { JUDGED_ONLY, SUPPORT } from "./examples.ts";
import { thresholdAt } from "./measures.ts";
import { calibrate, type TrainingSet, trainTrees } from "./train.ts";
import { toVisits } from "./visits.ts";

/** Digits kept of each number: more would change no score. */
const DIGITS = 5;
const short = (value: number): number => Number(value.toPrecision(DIGITS));

/**
 * The weights are set by the log-odds that these shares of people exceed, in visits of one, two, or three and more
 * paths.
 */
const EXCEEDED = [0.05, 0.005, 0.001] as const;
const VISITS = [1, 2, 3] as const;
/** How often a person's paths are recombined into visits: otherwise a thousandth of the visits would be a handful. */
const ROUNDS = 20;
/** The least number of visits on one kind of device from which the log-odds that a thousandth exceeds can be told. */
const MIN_VISITS = 500;

/**
 * The points of the grading, from people on made-up devices inside the support, judged by models that saw neither:
 * visitors bring devices that nobody recorded, and a false alarm costs more than a program that is only asked for a
 * click. The share holds on each kind of device separately: on a kind that nobody thought of, more people will exceed a
 * point.
 */
export function measureExceeded(judged: readonly HeldOut[]): TrajectoryModel["exceeded"] {
  const people = judged.filter(({ isBot, origin }) => !isBot && origin.device !== undefined);
  return VISITS.map((paths) => {
    const visits = toVisits(people, paths, paths === 1 ? 1 : ROUNDS);
    const kinds = REGIMES.map((regime) => visits.filter(({ origin }) => origin.device?.regimes.includes(regime)));
    const common = kinds.filter(({ length }) => length >= MIN_VISITS);
    return EXCEEDED.map((share) => {
      const points = common.map((kind) => thresholdAt(kind, share));
      return [share, short(Math.max(thresholdAt(visits, share), ...points))] as const;
    });
  });
}

/** Trains the model that is shipped, all but its version; calibration and points come from people held out. */
export function finishModel(set: TrainingSet): Omit<TrajectoryModel, "version"> {
  const judged = holdOutPeople(set);
  const recorded = judged.filter(
    ({ origin }) => origin.device === undefined && !JUDGED_ONLY.includes(origin.generator),
  );
  const { slope, offset } = calibrate(recorded.map(({ raw, isBot }) => ({ score: raw, isBot })));
  const calibration = { slope: short(slope), offset: short(offset) };
  const calibrated = judged.map((it) => ({ ...it, score: calibration.slope * it.raw + calibration.offset }));
  return {
    features: FEATURE_NAMES,
    support: SUPPORT,
    trees: trainTrees(set, ({ generator }) => !JUDGED_ONLY.includes(generator)),
    calibration,
    exceeded: measureExceeded(calibrated),
  };
}
