import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeldOut } from "../training/cross-validation.ts";
import { truePositivesAt } from "../training/measures.ts";
import { measureAsked } from "./asked.ts";
import { toText, withInterval } from "./intervals.ts";

const path = (subject: string, score: number, isBot = false): HeldOut => {
  const origin = { isBot, source: "", subject, generator: isBot ? "steps" : "human", fold: 0 };
  return { score, raw: score, isBot, origin };
};
const many = (count: number, make: (i: number) => HeldOut): HeldOut[] =>
  Array.from({ length: count }, (_, i) => make(i));
const ROW = [
  [0.05, 0],
  [0.005, 2],
  [0.001, 4],
] as const;

test("gives a figure an interval around it, which is wider if all of it depends on one person", () => {
  const share = (some: readonly HeldOut[]): number =>
    some.filter(({ score }) => score > 0).length / some.length;
  const spread = withInterval(
    many(400, (i) => path(`p${i % 40}`, i < 40 ? 1 : -1)),
    share,
  );
  const oneOdd = withInterval(
    many(400, (i) => path(`p${i % 40}`, i % 40 < 4 ? 1 : -1)),
    share,
  );
  assert.equal(spread.value, 0.1);
  for (const { value, low, high } of [spread, oneOdd])
    assert.ok((low ?? 9) <= (value ?? 0) && (value ?? 0) <= (high ?? 0));
  const width = ({ low, high }: typeof spread): number => (high ?? 0) - (low ?? 0);
  assert.ok(width(oneOdd) > 3 * width(spread), `${toText(oneOdd)} against ${toText(spread)}`);
});

test("gives the found share of programs an interval by other people's thresholds too, and null if nothing was measured", () => {
  const scored = [
    ...many(300, (i) => path(`p${i % 30}`, i / 300)),
    ...many(100, (i) => path(`${i}`, i / 50, true)),
  ];
  const { value, low, high } = withInterval(scored, (some) => truePositivesAt(some, 0.01));
  assert.ok((low ?? 1) < (value ?? 0) && (value ?? 0) <= (high ?? 0) && (high ?? 1) < 1);
  assert.deepEqual(
    withInterval([], () => Number.NaN),
    { value: null, low: null, high: null },
  );
});

test("counts visits as asked that reach the point for their number of scored paths, and none without scored paths", () => {
  const scored = [
    path("ada", 3),
    path("ada", 1),
    path("ada", Number.NEGATIVE_INFINITY),
    path("ben", 9),
  ];
  const { abstained, one_path, three_paths } = measureAsked(scored, { exceeded: [ROW] });
  assert.deepEqual([abstained, one_path.value], [0.25, 0.5]);
  assert.equal(
    three_paths.value,
    1,
    "ada's three are one visit of two scored paths, whose mean is 2",
  );
});
