import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract/contract-fixtures.ts";
import { temporaryFile } from "../contract/temporary-file.ts";
import { openThreadedStore } from "../sqlite/threaded-store.ts";
import {
  clearMove,
  heedsMoves,
  MOVE_UNFINISHED,
  MOVED_AWAY,
  markMove,
  readMove,
} from "./move-mark.ts";

const MOVE = { to: "1/2", isDone: false };

test("writes nothing while a running store's database is marked as moved, and continues when the mark is gone (D3, single use)", async (context) => {
  const file = temporaryFile();
  const store = await openThreadedStore({ file });
  const site = await seedSite(store);
  const beside = new DatabaseSync(file, { timeout: 5000 });
  context.after(() => beside.close());
  assert.throws(() => markMove(beside, MOVE), /no server has ever run/);
  await store.begin();
  assert.equal(heedsMoves(beside), true);
  const redemption = redemptionOf(site);
  assert.equal((await store.tokens.redeem(redemption)).kind, "spent");
  store.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 });
  markMove(beside, MOVE);
  assert.deepEqual(readMove(beside), MOVE);
  const writes: readonly (() => Promise<unknown>)[] = [
    () => store.tokens.redeem(redemption),
    () => store.tokens.redeem({ ...redemption, tokenId: new Uint8Array(12) }),
    () => store.challenges.spend(spendOf(site)),
    () => store.limiter.consume({ scope: "score:a", perMinute: 10, nowMs: T0 }),
    () => store.statistics.flush(),
    () => store.housekeeping.sweep(T0),
    () => store.serviceKeys.deleteServiceKey(1),
    () => store.begin(),
    () => store.ping(),
  ];
  const refused = { name: "StoreUnavailable", message: MOVE_UNFINISHED };
  for (const write of writes) await assert.rejects(write, refused, String(write));
  assert.equal((await store.sites.findSite(site.siteKey))?.siteKey, site.siteKey);
  clearMove(beside);
  assert.equal(readMove(beside), undefined);
  assert.equal(await store.challenges.spend(spendOf(site)), "spent");
  await store.close();
});

test("closes a store that was marked meanwhile", async (context) => {
  const file = temporaryFile();
  const store = await openThreadedStore({ file });
  await store.begin();
  const beside = new DatabaseSync(file, { timeout: 5000 });
  context.after(() => beside.close());
  markMove(beside, { ...MOVE, isDone: true });
  await assert.rejects(store.close(), { message: MOVED_AWAY });
  assert.deepEqual(readMove(beside), { ...MOVE, isDone: true });
});

test("serves a database of a version without marks, and does not check marks", (context) => {
  const database = new DatabaseSync(temporaryFile());
  context.after(() => database.close());
  assert.deepEqual([readMove(database), heedsMoves(database)], [undefined, false]);
});
