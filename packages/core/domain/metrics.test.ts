import assert from "node:assert/strict";
import { test } from "node:test";
import { scoreMetric } from "./metrics.ts";

test("every published score has a metric of its own, named by its hundredths (D6)", () => {
  assert.deepEqual([0, 0.05, 0.3, 0.6, 1].map(scoreMetric), [
    "score:00",
    "score:05",
    "score:30",
    "score:60",
    "score:100",
  ]);
  const names = Array.from({ length: 101 }, (_, hundredths) => scoreMetric(hundredths / 100));
  assert.equal(new Set(names).size, 101);
  assert.deepEqual(
    names.map((name) => Number(name.slice("score:".length))),
    Array.from({ length: 101 }, (_, hundredths) => hundredths),
  );
});
