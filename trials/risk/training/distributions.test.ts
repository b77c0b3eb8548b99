import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { evenly, evenlyInLog, normally, oneOf, wholly } from "./distributions.ts";

const MANY = 20_000;
const draw = (of: (random: () => number) => number): number[] => {
  const random = createRandom(1);
  return Array.from({ length: MANY }, () => of(random));
};
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test("fills the range with even numbers, and each octave equally with numbers even in logarithm", () => {
  const flat = draw((random) => evenly(random, -2, 4));
  assert.ok(
    Math.min(...flat) < -1.99 && Math.max(...flat) > 3.99 && Math.abs(mean(flat) - 1) < 0.05,
  );
  const octaves = draw((random) => Math.floor(Math.log2(evenlyInLog(random, 1, 8))));
  for (const octave of [0, 1, 2]) {
    const share = octaves.filter((it) => it === octave).length / MANY;
    assert.ok(Math.abs(share - 1 / 3) < 0.02, `${octave} ${share}`);
  }
});

test("draws normal numbers with mean 0 and the requested deviation", () => {
  const values = draw((random) => normally(random, 3));
  assert.ok(Math.abs(mean(values)) < 0.1);
  assert.ok(Math.abs(Math.sqrt(mean(values.map((value) => value * value))) - 3) < 0.1);
  assert.ok(Math.abs(values.filter((value) => Math.abs(value) < 3).length / MANY - 0.683) < 0.02);
});

test("includes both ends of whole numbers, and refuses to pick from none", () => {
  assert.deepEqual([...new Set(draw((random) => wholly(random, 2, 4)))].sort(), [2, 3, 4]);
  assert.deepEqual([...new Set(draw((random) => oneOf(random, [7, 9])))].sort(), [7, 9]);
  assert.throws(() => oneOf(createRandom(1), []), /the list is empty/);
});
