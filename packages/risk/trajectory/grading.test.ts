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

test("grades 0 up to what one in twenty of people's paths exceeds, 0.7 from the next point on, and 1 from the last", () => {
  assert.deepEqual([-40, -1, 1, 4, 40].map(grade), [0, 0, 0.7, 1, 1]);
});

test("has one step between these points, half-way to the first, and reveals nothing else", () => {
  assert.deepEqual(
    [-0.001, 0, 0.999, 1, 2.5, 3.999, 4].map(grade),
    [0, 0.35, 0.35, 0.7, 0.7, 0.7, 1],
  );
  const found = new Set(Array.from({ length: 10_001 }, (_, i) => grade(-10 + i / 500)));
  assert.deepEqual([...found].sort(), [...GRADES].sort());
});

test("never grades a path that is more like a program's lower, even if a small set of people left two points in one place", () => {
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

test("refuses a model that does not say what people exceed", () => {
  assert.throws(() => createGrading({ exceeded: [[[0.05, -1]]] }), /points/);
});

test("uses separate points for visits of more paths, and the last ones for all longer visits", () => {
  const grades = (logOdds: number): number[] =>
    [1, 2, 3].map((paths) => Number(gradeVisit(logOdds, paths).toFixed(9)));
  assert.deepEqual(grades(2), [0.7, 1, 1]);
  assert.deepEqual(grades(0), [0.35, 0.7, 0.7]);
});
