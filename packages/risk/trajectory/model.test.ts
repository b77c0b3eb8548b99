import assert from "node:assert/strict";
import { test } from "node:test";
import { sumTrees, type Tree } from "./model.ts";
import { createPathScorer } from "./path-scorer.ts";

/** feature 0 <= 1 ? (feature 1 <= 5 ? 10 : 20) : 30 */
const TREE: Tree = {
  splits: [
    [0, 1, 1, -2],
    [1, 5, -1, -3],
  ],
  leaves: [10, 30, 20],
};
const STUMP: Tree = { splits: [[0, 0, -1, -2]], leaves: [-1, 1] };

test("leads every row to one leaf: low up to the threshold, high above it", () => {
  const cases = [
    [1, 5, 10],
    [1, 5.1, 20],
    [1.1, 5, 30],
  ] as const;
  for (const [a, b, leaf] of cases) assert.equal(sumTrees([TREE], Float64Array.of(a, b)), leaf);
});

test("sums the trees and calibrates the sum into log-odds", () => {
  const model = { trees: [TREE, STUMP], calibration: { slope: 2, offset: -1 } };
  assert.equal(createPathScorer(model)(Float64Array.of(1, 9)), 2 * (20 + 1) - 1);
});

test("gives one extreme feature no more weight than one far out: an unknown device is not a program for it", () => {
  const far = sumTrees([TREE, STUMP], Float64Array.of(1e3, 1e3));
  assert.equal(sumTrees([TREE, STUMP], Float64Array.of(1e300, 1e300)), far);
});
