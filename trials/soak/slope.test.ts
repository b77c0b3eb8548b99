import assert from "node:assert/strict";
import { test } from "node:test";
import { fitSlope, medianOf } from "./slope.ts";

test("fits a straight line with its slope and no error, and noise around a level with an error beyond its slope", () => {
  const line = fitSlope([0, 1, 2, 3].map((x) => [x, 5 + 2 * x] as const));
  assert.deepEqual(line, { perUnit: 2, standardError: 0 });
  const noise = fitSlope([5, 7, 4, 6, 5, 7, 4, 6].map((y, x) => [x, y] as const));
  assert.ok(Math.abs(noise.perUnit) < noise.standardError);
  assert.throws(() => fitSlope([[0, 1]]), /three points/);
});

test("computes the median as the middle value, or between the two in the middle", () => {
  assert.equal(medianOf([9, 1, 5]), 5);
  assert.equal(medianOf([9, 1, 5, 7]), 6);
  assert.ok(Number.isNaN(medianOf([])));
});
