import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scored } from "@stile/risk/training/area-under-curve";
import {
  calibrationError,
  quantile,
  shareOfBotsAbove,
  thresholdAt,
  truePositivesAt,
} from "./measures.ts";

const scored = (people: readonly number[], bots: readonly number[]): Scored[] => [
  ...people.map((score) => ({ score, isBot: false })),
  ...bots.map((score) => ({ score, isBot: true })),
];
const HUNDRED = Array.from({ length: 100 }, (_, i) => i + 1);

test("finds a threshold that at most the given share of people exceeds", () => {
  assert.equal(thresholdAt(scored(HUNDRED, []), 0.01), 99);
  assert.equal(thresholdAt(scored(HUNDRED, []), 0.05), 95);
  assert.equal(
    thresholdAt(scored(HUNDRED, []), 0.001),
    100,
    "a thousandth of 100 people is nobody",
  );
  assert.equal(thresholdAt(scored([], [1]), 0.01), Number.POSITIVE_INFINITY);
});

test("counts as true positives the programs above that threshold, and not those at it", () => {
  assert.equal(truePositivesAt(scored(HUNDRED, [98, 99, 99.5, 200]), 0.01), 0.5);
  assert.equal(shareOfBotsAbove(scored([], [1, 2, 3, 4]), 2), 0.5);
  assert.equal(shareOfBotsAbove(scored([1], []), 0), 0);
});

test("computes the calibration error as the mean distance of predicted from real shares, with equal weight of both classes", () => {
  const even = Math.log(3);
  // Predicted 0.75: with three programs and one person that is right if each program weighs a third
  // of a person.
  assert.ok(Math.abs(calibrationError(scored([even], [even, even, even])) - 0.25) < 1e-12);
  assert.ok(Math.abs(calibrationError(scored([0], [0])) - 0) < 1e-12);
  assert.ok(calibrationError(scored([-50], [50])) < 1e-12);
  assert.ok(Math.abs(calibrationError(scored([50], [-50])) - 1) < 1e-12);
});

test("finds the value that the given share does not exceed", () => {
  assert.deepEqual(
    [0, 0.5, 0.9, 1].map((rank) => quantile([4, 1, 3, 2, 5, 6, 7, 8, 9, 10], rank)),
    [1, 5, 9, 10],
  );
  assert.ok(Number.isNaN(quantile([], 0.5)));
});
