import assert from "node:assert/strict";
import { test } from "node:test";
import { createReadiness } from "./readiness.ts";

/** A readiness over a store that counts what is written and fails when told to. */
function create() {
  const state = { nowMs: 0, writes: 0, isDown: false };
  const ping = async (): Promise<void> => {
    state.writes += 1;
    if (state.isDown) throw new Error("the store is down");
  };
  return { state, isReady: createReadiness(ping, { nowMs: () => state.nowMs }) };
}

test("writes at most once a second, whoever asks how often", async () => {
  const { state, isReady } = create();
  const asked = await Promise.all(Array.from({ length: 100 }, isReady));
  assert.deepEqual([new Set(asked), state.writes], [new Set([true]), 1]);
  state.nowMs = 999;
  for (let i = 0; i < 100; i++) assert.equal(await isReady(), true);
  assert.equal(state.writes, 1);
  state.nowMs = 1000;
  assert.equal(await isReady(), true);
  assert.equal(state.writes, 2);
});

test("a store that fails is told within the second, and its recovery at once", async () => {
  const { state, isReady } = create();
  assert.equal(await isReady(), true);
  state.isDown = true;
  state.nowMs = 1000;
  assert.deepEqual(await Promise.all([isReady(), isReady()]), [false, false]);
  assert.equal(state.writes, 2, "who asks at once shares the write, the failed one too");
  state.isDown = false;
  assert.equal(await isReady(), true);
});

test("a clock that was set back proves nothing", async () => {
  const { state, isReady } = create();
  state.nowMs = 10_000;
  await isReady();
  state.nowMs = 5000;
  state.isDown = true;
  assert.equal(await isReady(), false);
});
