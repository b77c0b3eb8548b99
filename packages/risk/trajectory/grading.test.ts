import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createGrading, GRADES } from "./grading.ts";

const ONE_PATH = [
  [0.05, -1],
  [0.005, 1],
  [0.001, 4],
] as const;
const TWO_PATHS = [
  [0.05, -2],
  [0.005, 0],
  [0.001, 2],
] as const;
const gradeVisit = createGrading({ exceeded: [ONE_PATH, TWO_PATHS] });
const grade = (logOdds: number): number => gradeVisit(logOdds, 1);

test("what one path in twenty of people exceeds weighs nothing, from the next point on 0.7, from the last on all", () => {
  assert.deepEqual([-40, -1, 1, 4, 40].map(grade), [0, 0, 0.7, 1, 1]);
});

test("between these points there is one step, half-way to the first; nothing else is ever told", () => {
  assert.deepEqual(
    [-0.001, 0, 0.999, 1, 2.5, 3.999, 4].map(grade),
    [0, 0.35, 0.35, 0.7, 0.7, 0.7, 1],
  );
  const found = new Set(Array.from({ length: 10_001 }, (_, i) => grade(-10 + i / 500)));
  assert.deepEqual([...found].sort(), [...GRADES].sort());
});

test("a path more like a program's never weighs less, even where a small set of people left two points in one place", () => {
  const flatRow = [
    [0.05, 1],
    [0.005, 1],
    [0.001, 1],
  ] as const;
  const gradeFlat = createGrading({ exceeded: [flatRow] });
  const flat = (logOdds: number): number => gradeFlat(logOdds, 1);
  const number = fc.double({ min: -20, max: 20, noNaN: true });
  for (const it of [grade, flat]) {
    fc.assert(fc.property(number, number, (a, b) => it(Math.min(a, b)) <= it(Math.max(a, b))));
    fc.assert(fc.property(number, (a) => it(a) >= 0 && it(a) <= 1));
  }
});

test("a model that does not say what people exceed is refused", () => {
  assert.throws(() => createGrading({ exceeded: [[[0.05, -1]]] }), /points/);
});

test("visits of more paths have points of their own, and the last holds for all longer ones", () => {
  const grades = (logOdds: number): number[] =>
    [1, 2, 3].map((paths) => Number(gradeVisit(logOdds, paths).toFixed(9)));
  assert.deepEqual(grades(2), [0.7, 1, 1]);
  assert.deepEqual(grades(0), [0.35, 0.7, 0.7]);
});
