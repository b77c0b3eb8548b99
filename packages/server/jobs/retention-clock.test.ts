import assert from "node:assert/strict";
import { test } from "node:test";
import { createRetentionClock } from "./retention-clock.ts";

const NOON_MS = Date.UTC(2026, 5, 15, 12);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

function timesAt(clockMs: number, newestMs: number, steps: readonly number[]): number[] {
  let steadyMs = 5000;
  const retention = createRetentionClock(
    { nowMs: () => clockMs + steadyMs - 5000 },
    () => steadyMs,
    newestMs,
  );
  return steps.map((elapsedMs) => {
    steadyMs = 5000 + elapsedMs;
    return retention.nowMs() - NOON_MS;
  });
}

test("equals the clock if the newest entry is recent or there is none", () => {
  for (const newestMs of [NOON_MS - 30_000, 0]) {
    assert.deepEqual(timesAt(NOON_MS, newestMs, [0, HOUR_MS, 30 * DAY_MS]), [
      0,
      HOUR_MS,
      30 * DAY_MS,
    ]);
  }
});

test("under a clock that is 400 days ahead, loses one day at once, and another within an hour", () => {
  const times = timesAt(NOON_MS + 400 * DAY_MS, NOON_MS, [0, 130_000, HOUR_MS]);
  assert.deepEqual(times, [DAY_MS, DAY_MS + 24 * 130_000, 2 * DAY_MS]);
});

test("catches up within two days after a pause of 40 days", () => {
  const [late] = timesAt(NOON_MS + 40 * DAY_MS, NOON_MS, [2 * DAY_MS]);
  assert.equal(late, 42 * DAY_MS);
});
