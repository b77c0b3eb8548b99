import assert from "node:assert/strict";
import { test } from "node:test";
import { sumTrees, type Tree } from "./model.ts";
import { createPathJudge } from "./path-judge.ts";

/** feature 0 <= 1 ? (feature 1 <= 5 ? 10 : 20) : 30 */
const TREE: Tree = {
  splits: [
    [0, 1, 1, -2],
    [1, 5, -1, -3],
  ],
  leaves: [10, 30, 20],
};
const STUMP: Tree = { splits: [[0, 0, -1, -2]], leaves: [-1, 1] };

test("a tree leads to one leaf: at most the threshold goes low, above it high", () => {
  const cases = [
    [1, 5, 10],
    [1, 5.1, 20],
    [1.1, 5, 30],
  ] as const;
  for (const [a, b, leaf] of cases) assert.equal(sumTrees([TREE], Float64Array.of(a, b)), leaf);
});

test("log-odds are the sum of the trees, calibrated", () => {
  const model = { trees: [TREE, STUMP], calibration: { slope: 2, offset: -1 } };
  assert.equal(createPathJudge(model)(Float64Array.of(1, 9)), 2 * (20 + 1) - 1);
});

test("one wild feature says no more than one far out: a device never seen is not a program for it", () => {
  const far = sumTrees([TREE, STUMP], Float64Array.of(1e3, 1e3));
  assert.equal(sumTrees([TREE, STUMP], Float64Array.of(1e300, 1e300)), far);
});
