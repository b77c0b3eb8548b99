import { FEATURE_COUNT, FEATURE_NAMES } from "./features.ts";
import modelFile from "./model.json" with { type: "json" };
import { type TrajectoryModel, termCount } from "./model.ts";

const isRowOf = (length: number, row: readonly number[]): boolean =>
  row.length === length && row.every((value) => Number.isFinite(value));

/** Parsed JSON of a model file to a model of the features that `extractFeatures` gives; throws with what does not fit. */
export function parseModel(file: unknown): TrajectoryModel {
  const model = file as TrajectoryModel;
  const sameNames = FEATURE_NAMES.length === model.features.length;
  if (!sameNames || FEATURE_NAMES.some((name, i) => name !== model.features[i])) {
    throw new Error("the trajectory model was trained on other features; train it anew: npm run train:risk");
  }
  const n = FEATURE_COUNT;
  const isWhole =
    isRowOf(n, model.mean) &&
    isRowOf(n, model.spread) &&
    model.spread.every((value) => value > 0) &&
    model.whitening.length === n &&
    model.whitening.every((row) => isRowOf(n, row)) &&
    isRowOf(termCount(n) + 1, model.coefficients) &&
    isRowOf(2, [model.calibration.slope, model.calibration.offset]) &&
    model.calibration.slope > 0 &&
    model.exceeded.length > 0 &&
    model.exceeded.every((row) => row.every((pair) => isRowOf(2, pair)));
  if (!isWhole) throw new Error("the trajectory model has numbers that are missing or not finite");
  return model;
}

/** The model that comes with the service (`npm run train:risk`), checked when it is loaded. */
export const SHIPPED_MODEL = parseModel(modelFile);
