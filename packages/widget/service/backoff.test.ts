import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs, MAX_TRIES, runBackoffMs } from "./backoff.ts";

test("doubles each wait and spreads it over half to one and a half, so that a crowd does not return at once", () => {
  assert.deepEqual([backoffMs(1, 0.5), backoffMs(2, 0.5), backoffMs(3, 0.5)], [800, 1600, 3200]);
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    assert.equal(backoffMs(tries, 0), 0.5 * backoffMs(tries, 0.5));
    assert.ok(backoffMs(tries, 0.999) < 1.5 * backoffMs(tries, 0.5));
  }
});

test("keeps the sum of all waits of one request below ten seconds", () => {
  let sumMs = 0;
  for (let tries = 1; tries < MAX_TRIES; tries++) sumMs += backoffMs(tries, 0.999);
  assert.ok(sumMs < 10_000, String(sumMs));
});

test("waits 6 s after the first failed run, 51 s at most, each spread by half", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 40].map((failures) => runBackoffMs(failures, 0.5)),
    [6400, 12_800, 25_600, 51_200, 51_200],
  );
  assert.deepEqual([runBackoffMs(1, 0), runBackoffMs(1, 1)], [3200, 9600]);
});
