import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { createLog } from "../telemetry/log.ts";
import { composeKeys } from "./compose-keys.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/**
 * The store, but its next answer about keys arrives late: `isAsked` resolves once it is there, and
 * `release` delivers it.
 */
function holdNextAnswer(store: Store) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  const listServiceKeys: Store["serviceKeys"]["listServiceKeys"] = async () => {
    const keys = await store.serviceKeys.listServiceKeys();
    if (!isHeld) return keys;
    isHeld = false;
    asked.resolve();
    await released.promise;
    return keys;
  };
  const hold = (): void => {
    isHeld = true;
  };
  const held = { ...store, serviceKeys: { ...store.serviceKeys, listServiceKeys } };
  return { held, hold, isAsked: asked.promise, release: released.resolve };
}

test("keeps retired keys retired when a late answer lists them as they were before (D3, single use)", async (context) => {
  const store = await openPostgresStore({ url: engine.createDatabase("late") });
  context.after(() => store.close());
  await store.begin();
  const { held, hold, isAsked, release } = holdNextAnswer(store);
  const clock = { nowMs: Date.now };
  const parts = { store: held, clock, masterKey: randomBytes(32), log: createLog("silent") };
  const { cryptography, refreshKeys, followStore } = await composeKeys(parts, undefined);
  hold();
  const refreshing = refreshKeys();
  await isAsked;
  engine.runSql("late", "TRUNCATE nodes, generations, token_marks, mark_partitions");
  const following = followStore?.();
  // Time enough for the other refresh to read and adopt keys, if it did not wait. A busy machine
  // can only hide a fault.
  await Promise.race([following, delay(500)]);
  release();
  await Promise.all([refreshing, following]);
  assert.deepEqual([cryptography.currentKeyId(), cryptography.isRetired(1)], [2, true]);
});
