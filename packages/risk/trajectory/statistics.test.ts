import assert from "node:assert/strict";
import { test } from "node:test";
import { correlation, log1p, ratio, spread } from "./statistics.ts";

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test("spreads and ratios are those of the textbook, and 0 where there is nothing", () => {
  near(spread([1, 3], 2), 1);
  near(spread([], 0), 0);
  near(ratio(3, 4), 0.75);
  near(ratio(3, 0), 0);
  near(log1p(Math.E - 1), 1);
  near(log1p(-5), 0);
});

test("correlation is 1 for a line, -1 for its mirror image, 0 without variation or with too little", () => {
  near(correlation([1, 2, 3, 4], [10, 20, 30, 40]), 1);
  near(correlation([1, 2, 3, 4], [4, 3, 2, 1]), -1);
  near(correlation([1, 1, 1, 1], [4, 3, 2, 1]), 0);
  near(correlation([1, 2], [1, 2]), 0);
  near(correlation([1, 5, 2, 8, 3], [0, 1, 5, 2, 8, 3], 1), 1);
});
