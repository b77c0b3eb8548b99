import assert from "node:assert/strict";
import { test } from "node:test";
import { areaUnderCurve, type Scored } from "./area-under-curve.ts";

const scored = (people: readonly number[], bots: readonly number[]): Scored[] => [
  ...people.map((score) => ({ score, isBot: false })),
  ...bots.map((score) => ({ score, isBot: true })),
];

test("the area under the curve is how often a program scores above a person, with ties counted half", () => {
  assert.equal(areaUnderCurve(scored([1, 2], [3, 4])), 1);
  assert.equal(areaUnderCurve(scored([3, 4], [1, 2])), 0);
  assert.equal(areaUnderCurve(scored([1, 3], [2, 3])), (1 + 0 + 1 + 0.5) / 4);
  assert.equal(areaUnderCurve(scored([2, 2], [2, 2])), 0.5);
  assert.ok(Number.isNaN(areaUnderCurve(scored([1], []))));
});
