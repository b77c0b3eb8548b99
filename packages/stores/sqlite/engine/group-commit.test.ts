import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import {
  newSite,
  readMinutes,
  redeemAll,
  redemptionOf,
  seedSite,
  spendOf,
  T0,
} from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { MAX_WAITING_WRITES } from "./group-commit.ts";

/**
 * Counts commits in the write-ahead log: frames whose header states a database size (SQLite file
 * format, section 4.1).
 */
function countCommits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

test("all writes of one turn of the event loop share one commit", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  const before = countCommits(file);
  const outcomes = await Promise.all([
    ...Array.from({ length: 100 }, () => store.tokens.redeem(redemptionOf(site))),
    store.challenges.spend(spendOf(site)),
    store.limiter.consume({ scope: "score:pk_1", perMinute: 1, nowMs: T0 }),
    store.sites.insertSite(newSite()),
    store.ping(),
  ]);
  assert.equal(outcomes.length, 104);
  assert.equal(countCommits(file) - before, 1);
  await store.close();
});

test("a write resolves only after a second connection can see it (D3, single use)", async () => {
  const file = temporaryFile();
  const [store, other] = [await openSqliteStore({ file }), await openSqliteStore({ file })];
  const redemption = redemptionOf(await seedSite(store));
  await store.tokens.redeem(redemption);
  assert.equal(await other.tokens.isSpent(redemption), true);
  const outcome = await other.tokens.redeem(redemption);
  assert.equal(outcome.kind, "already_used");
  await Promise.all([store.close(), other.close()]);
});

test("a redemption sees a site change that another connection made before it (D3, single use)", async () => {
  const file = temporaryFile();
  const [store, other] = [await openSqliteStore({ file }), await openSqliteStore({ file })];
  const site = await seedSite(store);
  await other.sites.replaceSite({ ...site, isEnabled: false, revision: 2 }, 1);
  const outcome = await store.tokens.redeem(redemptionOf(site));
  assert.equal(outcome.kind, "site_changed");
  await Promise.all([store.close(), other.close()]);
});

test("a token redeemed 100 times over two connections is spent once (D3, single use)", async () => {
  const file = temporaryFile();
  const stores = [await openSqliteStore({ file }), await openSqliteStore({ file })];
  const redemption = redemptionOf(await seedSite(stores[0]!));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      for (let turn = 0; turn < index % 7; turn++) await nextTurn();
      return await stores[index % 2]!.tokens.redeem(redemption);
    }),
  );
  assert.equal(outcomes.filter(({ kind }) => kind === "spent").length, 1);
  await Promise.all(stores.map((store) => store.close()));
});

test("records, sites and limits are still there after closing and opening again (D3, single use)", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  const [redemption, spend] = [redemptionOf(site, { perMinute: 1 }), spendOf(site)];
  await Promise.all([store.tokens.redeem(redemption), store.challenges.spend(spend)]);
  store.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 });
  await store.close();
  const reopened = await openSqliteStore({ file });
  const [replay, fresh] = await redeemAll(reopened, [
    redemption,
    redemptionOf(site, { perMinute: 1 }),
  ]);
  assert.deepEqual([replay?.kind, fresh?.kind], ["already_used", "limited"]);
  assert.equal(await reopened.challenges.spend(spend), "already_spent");
  assert.deepEqual(await reopened.sites.findSite(site.siteKey), site);
  assert.equal((await readMinutes(reopened, site.siteKey)).length, 4);
  await reopened.close();
});

/**
 * Faults inside the engine, as SQL: one in a statement after the records were written, one in
 * COMMIT.
 */
const TEARS = [
  {
    name: "fails after its records were written",
    tear: "CREATE TRIGGER tear BEFORE INSERT ON statistics BEGIN SELECT RAISE(ABORT, 'torn'); END",
    repair: "DROP TRIGGER tear",
  },
  {
    name: "fails at COMMIT",
    tear: `CREATE TABLE tear (site_key TEXT REFERENCES sites (site_key) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER tear_at_commit AFTER INSERT ON token_marks BEGIN INSERT INTO tear VALUES ('pk_nowhere'); END`,
    repair: "DROP TRIGGER tear_at_commit",
  },
] as const;

for (const { name, tear, repair } of TEARS) {
  test(`a transaction that ${name} rejects all its writes and leaves nothing (D3, single use)`, async () => {
    const file = temporaryFile();
    const store = await openSqliteStore({ file });
    const site = await seedSite(store);
    const saboteur = new DatabaseSync(file);
    saboteur.exec(tear);
    const redemptions = [
      redemptionOf(site, { perMinute: 2 }),
      redemptionOf(site, { perMinute: 2 }),
    ];
    const other = newSite();
    const results = await Promise.allSettled([
      ...redemptions.map((redemption) => store.tokens.redeem(redemption)),
      store.sites.insertSite(other),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
    saboteur.exec(repair);
    saboteur.close();
    for (const redemption of redemptions)
      assert.equal(await store.tokens.isSpent(redemption), false);
    assert.equal(await store.sites.findSite(other.siteKey), undefined);
    assert.deepEqual(await readMinutes(store, site.siteKey), []);
    const outcomes = await redeemAll(store, redemptions);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ["spent", "spent"],
    );
    await store.close();
  });
}

/** Makes the engine refuse only the record of that token. */
const tearAt = (tokenId: Uint8Array): string =>
  `CREATE TRIGGER tear BEFORE INSERT ON token_marks WHEN NEW.id = x'${Buffer.from(tokenId).toString("hex")}'
    BEGIN SELECT RAISE(ABORT, 'torn'); END`;

test("a write that fails by its own fault fails alone; the other writes of its turn are done once (D3, single use)", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  const [before, torn, after] = [redemptionOf(site), redemptionOf(site), redemptionOf(site)];
  const saboteur = new DatabaseSync(file);
  saboteur.exec(tearAt(torn.tokenId));
  saboteur.close();
  const other = newSite();
  const results = await Promise.allSettled([
    ...[before, torn, after].map((redemption) => store.tokens.redeem(redemption)),
    store.sites.insertSite(other),
    store.sites.insertSite(other),
  ]);
  const endings = results.map((result) =>
    result.status === "fulfilled" ? "done" : (result.reason as Error).message,
  );
  assert.match(endings.pop() ?? "", /UNIQUE constraint failed/);
  assert.deepEqual(endings, ["done", "torn", "done", "done"]);
  assert.equal(await store.tokens.isSpent(torn), false);
  const counted = await readMinutes(store, site.siteKey);
  assert.equal(counted.find(({ metric }) => metric === "token_redeemed")?.count, 2);
  await store.close();
});

test("a turn in which many writes fail is rolled back whole, and the next turn succeeds", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  const redemption = redemptionOf(site);
  const twice = Array.from({ length: 20 }, () => store.sites.insertSite(site));
  const results = await Promise.allSettled([...twice, store.tokens.redeem(redemption)]);
  assert.ok(results.every(({ status }) => status === "rejected"));
  assert.equal((await store.tokens.redeem(redemption)).kind, "spent");
  await store.close();
});

test("the next flush writes counts whose flush failed, once", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const { siteKey } = await seedSite(store);
  const saboteur = new DatabaseSync(file);
  saboteur.exec(TEARS[0].tear);
  store.statistics.count({ siteKey, metric: "challenge_issued", atMs: T0 });
  const failing = store.statistics.flush();
  store.statistics.count({ siteKey, metric: "challenge_issued", atMs: T0 });
  await assert.rejects(failing);
  saboteur.exec(TEARS[0].repair);
  saboteur.close();
  await store.close();
  const reopened = await openSqliteStore({ file });
  assert.deepEqual(await readMinutes(reopened, siteKey), [
    { startMs: T0, metric: "challenge_issued", count: 2 },
  ]);
  await reopened.close();
});

test("each write waits a second of its own for a locked database (D16, operator)", async () => {
  const file = temporaryFile();
  let monotonicMs = 0;
  const store = await openSqliteStore({ file, now: () => monotonicMs });
  const site = await seedSite(store);
  const holder = new DatabaseSync(file);
  holder.exec("BEGIN IMMEDIATE");
  const old = store.tokens.redeem(redemptionOf(site));
  monotonicMs = 999;
  const young = store.tokens.redeem(redemptionOf(site));
  await nextTurn();
  monotonicMs = 1000;
  await assert.rejects(old, StoreUnavailable);
  holder.exec("ROLLBACK");
  holder.close();
  const outcome = await young;
  assert.equal(outcome.kind, "spent");
  await store.close();
});

test("refuses writes beyond the longest queue at once, and makes those in it", async () => {
  const store = await openSqliteStore({ file: temporaryFile() });
  const pings = Array.from({ length: MAX_WAITING_WRITES + 2 }, () => store.ping());
  const results = await Promise.allSettled(pings);
  const refused = results.filter(({ status }) => status === "rejected");
  assert.equal(refused.length, 2);
  await assert.rejects(pings.at(-1)!, StoreUnavailable);
  await store.ping();
  await store.close();
});

test("closing finishes waiting writes and refuses later ones", async () => {
  const store = await openSqliteStore({ file: temporaryFile() });
  const redemption = redemptionOf(await seedSite(store));
  const last = store.tokens.redeem(redemption);
  const closing = store.close();
  const outcome = await last;
  await closing;
  assert.equal(outcome.kind, "spent");
  await assert.rejects(store.ping(), StoreUnavailable);
});

test("a ping fails if the database can be read but not written", async () => {
  const file = temporaryFile();
  let ticks = 0;
  const store = await openSqliteStore({ file, now: () => ticks++ * 400 });
  await store.ping();
  const holder = new DatabaseSync(file);
  holder.exec("BEGIN IMMEDIATE");
  await assert.rejects(store.ping(), StoreUnavailable);
  holder.close();
  await store.ping();
  await store.close();
});
