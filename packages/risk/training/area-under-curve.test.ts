import assert from "node:assert/strict";
import { test } from "node:test";
import { areaUnderCurve, type Judged } from "./area-under-curve.ts";

const judged = (people: readonly number[], bots: readonly number[]): Judged[] => [
  ...people.map((score) => ({ score, isBot: false })),
  ...bots.map((score) => ({ score, isBot: true })),
];

test("the area under the curve is how often a program scores above a person, with ties counted half", () => {
  assert.equal(areaUnderCurve(judged([1, 2], [3, 4])), 1);
  assert.equal(areaUnderCurve(judged([3, 4], [1, 2])), 0);
  assert.equal(areaUnderCurve(judged([1, 3], [2, 3])), (1 + 0 + 1 + 0.5) / 4);
  assert.equal(areaUnderCurve(judged([2, 2], [2, 2])), 0.5);
  assert.ok(Number.isNaN(areaUnderCurve(judged([1], []))));
});
