import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { createReadiness } from "./readiness.ts";

/** A readiness check on a store that counts its writes and fails when told to. */
function create() {
  const state = { nowMs: 0, writes: 0, isDown: false };
  const ping = async (): Promise<void> => {
    state.writes += 1;
    if (state.isDown) throw new StoreUnavailable("the store is down");
  };
  return { state, findFault: createReadiness(ping, { nowMs: () => state.nowMs }) };
}

test("writes at most once a second, however often it is asked", async () => {
  const { state, findFault } = create();
  const asked = await Promise.all(Array.from({ length: 100 }, findFault));
  assert.deepEqual([new Set(asked), state.writes], [new Set([undefined]), 1]);
  state.nowMs = 999;
  for (let i = 0; i < 100; i++) assert.equal(await findFault(), undefined);
  assert.equal(state.writes, 1);
  state.nowMs = 1000;
  assert.equal(await findFault(), undefined);
  assert.equal(state.writes, 2);
});

test("reports a failing store within the second, and its recovery at once", async () => {
  const { state, findFault } = create();
  assert.equal(await findFault(), undefined);
  state.isDown = true;
  state.nowMs = 1000;
  assert.deepEqual(await Promise.all([findFault(), findFault()]), [
    "the store is down",
    "the store is down",
  ]);
  assert.equal(state.writes, 2, "simultaneous checks share one write, even a failed one");
  state.isDown = false;
  assert.equal(await findFault(), undefined);
});

test("does not rely on an earlier write after the clock was set back", async () => {
  const { state, findFault } = create();
  state.nowMs = 10_000;
  await findFault();
  state.nowMs = 5000;
  state.isDown = true;
  assert.equal(await findFault(), "the store is down");
});
