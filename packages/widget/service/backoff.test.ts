import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs, MAX_TRIES } from "./backoff.ts";

test("waits double, and spread over half to one and a half, so that a crowd does not come back as one", () => {
  assert.deepEqual([backoffMs(1, 0.5), backoffMs(2, 0.5), backoffMs(3, 0.5)], [800, 1600, 3200]);
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    assert.equal(backoffMs(tries, 0), 0.5 * backoffMs(tries, 0.5));
    assert.ok(backoffMs(tries, 0.999) < 1.5 * backoffMs(tries, 0.5));
  }
});

test("all waits of one request together stay below ten seconds", () => {
  let sumMs = 0;
  for (let tries = 1; tries < MAX_TRIES; tries++) sumMs += backoffMs(tries, 0.999);
  assert.ok(sumMs < 10_000, String(sumMs));
});
