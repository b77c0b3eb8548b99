import assert from "node:assert/strict";
import { test } from "node:test";
import {
  joinMetric,
  METRIC_KINDS,
  type Metric,
  redeemedMetrics,
  SOLVE_BUCKETS_MS,
  scoreMetric,
  solveMetric,
  splitMetric,
} from "./metrics.ts";

test("every published score has a metric of its own for each action, named by its hundredths (D6, scores)", () => {
  assert.deepEqual(
    [0, 0.05, 0.3, 0.6, 1].map((score) => scoreMetric("login", score)),
    ["score:login:00", "score:login:05", "score:login:30", "score:login:60", "score:login:100"],
  );
  assert.equal(scoreMetric(undefined, 0.29), "score::29");
  const names = Array.from({ length: 101 }, (_, hundredths) => scoreMetric("a", hundredths / 100));
  assert.deepEqual(
    names.map((name) => Number(name.slice("score:a:".length))),
    Array.from({ length: 101 }, (_, hundredths) => hundredths),
  );
});

test("a redeemed token counts once, and once under its score", () => {
  assert.deepEqual(redeemedMetrics(0.05), ["token_redeemed", "verified_score:05"]);
  assert.deepEqual(redeemedMetrics(1), ["token_redeemed", "verified_score:100"]);
});

test("a solve time belongs to the first bucket whose bound it is below, or to the last", () => {
  for (const [bucket, boundMs] of SOLVE_BUCKETS_MS.entries()) {
    assert.equal(solveMetric(boundMs - 1), `solve:${bucket}`);
    assert.equal(solveMetric(boundMs), `solve:${bucket + 1}`);
  }
  assert.equal(solveMetric(-5), "solve:0");
});

test("every metric splits into its kind and name, and joins again", () => {
  const metrics: Metric[] = [
    "challenge_issued",
    "refused:token_expired",
    "score::07",
    "score:a/b.c:100",
    "vendor:pass:05",
    "host:[::1]",
    "country:DE",
  ];
  for (const metric of metrics) {
    const { kind, name } = splitMetric(metric);
    assert.ok(METRIC_KINDS.includes(kind));
    assert.equal(joinMetric(kind, name), metric);
  }
  assert.deepEqual(splitMetric("host:[::1]"), { kind: "host", name: "[::1]" });
  assert.deepEqual(splitMetric("token_issued"), { kind: "outcome", name: "token_issued" });
});
