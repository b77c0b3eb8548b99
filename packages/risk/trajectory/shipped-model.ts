import { FEATURE_COUNT, FEATURE_NAMES } from "./features.ts";
import modelFile from "./model.json" with { type: "json" };
import type { TrajectoryModel, Tree } from "./model.ts";
import { SUPPORT_KEYS } from "./support.ts";

const areNumbers = (values: readonly unknown[]): boolean =>
  values.every((value) => Number.isFinite(value));

/**
 * Whether every way through the tree leads to a later split or ends in a leaf, so that none can
 * loop forever.
 */
function isWholeTree({ splits, leaves }: Tree): boolean {
  const leadsOn = (from: number, to: number): boolean =>
    to < 0 ? -to <= leaves.length : to > from && to < splits.length;
  return (
    splits.length > 0 &&
    areNumbers(leaves) &&
    splits.every(([feature, threshold, low, high], at) => {
      const isFeature = Number.isInteger(feature) && feature >= 0 && feature < FEATURE_COUNT;
      return (
        isFeature &&
        areNumbers([threshold]) &&
        [low, high].every((to) => Number.isInteger(to) && leadsOn(at, to))
      );
    })
  );
}

/**
 * Turns parsed JSON into a model of the features of `extractFeatures`; throws an error that names
 * the mismatch.
 */
export function parseModel(file: unknown): TrajectoryModel {
  const model = file as TrajectoryModel;
  const sameNames = FEATURE_NAMES.length === model.features.length;
  if (!sameNames || FEATURE_NAMES.some((name, i) => name !== model.features[i])) {
    throw new Error(
      "the trajectory model was trained on other features; train it again: npm run trial -- train-risk",
    );
  }
  const isWhole =
    areNumbers(SUPPORT_KEYS.map((key) => model.support?.[key])) &&
    model.trees.length > 0 &&
    model.trees.every(isWholeTree) &&
    areNumbers([model.calibration.slope, model.calibration.offset]) &&
    model.calibration.slope > 0 &&
    model.exceeded.length > 0 &&
    model.exceeded.every(
      (row) => row.length === 3 && row.every((pair) => pair.length === 2 && areNumbers(pair)),
    );
  if (!isWhole) throw new Error("the trajectory model has numbers that are missing or not finite");
  return model;
}

/** The model that comes with the service (`npm run trial -- train-risk`), checked when it is loaded. */
export const SHIPPED_MODEL = parseModel(modelFile as unknown);
