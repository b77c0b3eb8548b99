import assert from "node:assert/strict";
import { test } from "node:test";
import { createLimitSketch } from "./limit-sketch.ts";
import { createLocalLimiter } from "./local-limiter.ts";

const NOON_MS = Date.UTC(2026, 4, 20, 12);
const MINUTE_MS = 60_000;

/** In this test scopes are numbers, and each number selects its own cell. */
const createSketch = (cells: number) => createLimitSketch({ cells, spread: Number });

test("counts and limits exactly like the other limiter, over minutes and pauses", () => {
  const [sketch, limiter] = [createSketch(64), createLocalLimiter({ maxScopes: 64 })];
  let nowMs = NOON_MS;
  for (let step = 0; step < 2000; step++) {
    const request = { scope: String((step * 7) % 13), perMinute: 5, nowMs };
    assert.deepEqual(sketch.peek(request), limiter.peek(request));
    assert.deepEqual(sketch.consume(request), limiter.consume(request));
    assert.equal(
      sketch.ratePerMinute(request.scope, nowMs),
      limiter.ratePerMinute(request.scope, nowMs),
    );
    assert.equal(
      sketch.countThisMinute(request.scope, nowMs),
      limiter.countThisMinute(request.scope, nowMs),
    );
    nowMs += step % 500 === 499 ? 3 * MINUTE_MS : 700;
  }
});

test("keeps a spent scope's budget spent, whatever the number of other scopes", () => {
  const sketch = createSketch(8);
  const spent = { scope: "0", perMinute: 3, nowMs: NOON_MS };
  for (let count = 0; count < 3; count++) assert.equal(sketch.consume(spent).isAdmitted, true);
  for (let other = 1; other < 100_000; other++) sketch.consume({ ...spent, scope: String(other) });
  assert.equal(sketch.consume(spent).isAdmitted, false);
  assert.equal(
    sketch.consume({ ...spent, nowMs: NOON_MS + 2 * MINUTE_MS }).isAdmitted,
    true,
    "only time renews the budget",
  );
});

test("shares one budget among the scopes of one cell", () => {
  const sketch = createSketch(8);
  const request = { perMinute: 2, nowMs: NOON_MS };
  assert.equal(sketch.consume({ ...request, scope: "3" }).isAdmitted, true);
  assert.equal(sketch.consume({ ...request, scope: "11" }).isAdmitted, true);
  assert.equal(sketch.consume({ ...request, scope: "3" }).isAdmitted, false);
});

test("keeps a count at its maximum when it is full", () => {
  const sketch = createSketch(1);
  const request = { scope: "0", perMinute: 65_535, nowMs: NOON_MS };
  for (let count = 0; count < 70_000; count++) sketch.consume(request);
  assert.equal(sketch.countThisMinute("0", NOON_MS), 65_535);
});
