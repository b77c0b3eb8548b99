import assert from "node:assert/strict";
import { test } from "node:test";
import { fitSlope, medianOf } from "./slope.ts";

test("a straight line has its slope and no error; noise around a level has an error beyond its slope", () => {
  const line = fitSlope([0, 1, 2, 3].map((x) => [x, 5 + 2 * x] as const));
  assert.deepEqual(line, { perUnit: 2, standardError: 0 });
  const noise = fitSlope([5, 7, 4, 6, 5, 7, 4, 6].map((y, x) => [x, y] as const));
  assert.ok(Math.abs(noise.perUnit) < noise.standardError);
  assert.throws(() => fitSlope([[0, 1]]), /three points/);
});

test("the median is the middle value, or lies between the two in the middle", () => {
  assert.equal(medianOf([9, 1, 5]), 5);
  assert.equal(medianOf([9, 1, 5, 7]), 6);
  assert.ok(Number.isNaN(medianOf([])));
});
