import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { SOLVE_BUCKETS_MS } from "./metrics.ts";
import { solveMsOf, toSolveTimes } from "./solve-times.ts";

function timesOf(counts: Readonly<Record<number, number>>) {
  return toSolveTimes(new Map(Object.entries(counts)));
}

test("the solver's time is the page's figure, at most the elapsed time, or the elapsed time without a figure", () => {
  const saying = (solveMs: number | null) => decoded({ ...CHROME_VISITOR.behaviour, solveMs });
  assert.equal(solveMsOf(saying(412.6), 3_900), 413);
  assert.equal(solveMsOf(saying(9_000), 3_900), 3_900);
  for (const silent of [saying(null), "withheld"] as const)
    assert.equal(solveMsOf(silent, 3_900), 3_900);
});

test("without solutions there are no quantiles, and every bucket is present", () => {
  const { p50Ms, p95Ms, buckets } = timesOf({});
  assert.deepEqual([p50Ms, p95Ms, buckets.length], [null, null, SOLVE_BUCKETS_MS.length + 1]);
  assert.deepEqual(
    buckets.map(({ belowMs }) => belowMs),
    [...SOLVE_BUCKETS_MS, null],
  );
});

test("quantiles lie within their bucket, at the position of their share", () => {
  // 100 solutions in 500..700 ms, then 100 in 1000..1400 ms.
  const { p50Ms, p95Ms } = timesOf({ 5: 100, 7: 100 });
  assert.deepEqual([p50Ms, p95Ms], [700, 1360]);
  assert.deepEqual([timesOf({ 5: 200 }).p50Ms, timesOf({ 5: 200 }).p95Ms], [600, 690]);
  assert.equal(timesOf({ 0: 1 }).p50Ms, 50);
});

test("a quantile in the bucket without an upper bound is the bucket's start", () => {
  assert.deepEqual([timesOf({ 14: 7 }).p50Ms, timesOf({ 14: 7 }).p95Ms], [120_000, 120_000]);
  assert.deepEqual(
    [timesOf({ 5: 90, 14: 10 }).p50Ms, timesOf({ 5: 90, 14: 10 }).p95Ms],
    [611, 120_000],
  );
});
