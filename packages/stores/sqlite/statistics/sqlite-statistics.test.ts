import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { asDeleted } from "@stile/core/domain/site/site";
import { MAX_NAMES_PER_DAY } from "@stile/core/domain/statistics/metrics";
import type { Store } from "@stile/core/ports/store";
import { RESOLUTIONS } from "@stile/protocol/dashboard-statistics";
import {
  readMinutes,
  redemptionOf,
  seedSite,
  spendOf,
  T0,
} from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { ADD_TO_ROW } from "./statistic-sums.ts";

async function openTwice() {
  const file = temporaryFile();
  const [store, other] = [await openSqliteStore({ file }), await openSqliteStore({ file })];
  const site = await seedSite(store);
  return { file, store, other, site };
}

function countHost(store: Store, siteKey: string, number: number): Promise<void> {
  return store.statistics.add([
    { siteKey, metric: `host:h${number}.example.com`, atMs: T0, count: 1 },
  ]);
}

async function hostsOf(store: Store, siteKey: string): Promise<Map<string, number>> {
  const counts = await readMinutes(store, siteKey);
  const hosts = counts.filter(({ metric }) => metric.startsWith("host:"));
  return new Map(hosts.map(({ metric, count }) => [metric, count]));
}

test("two processes on one file together count 20 names a day separately, in any order", async () => {
  const { store, other, site } = await openTwice();
  for (let number = 0; number < 30; number++) {
    await countHost(number % 2 === 0 ? store : other, site.siteKey, number);
  }
  for (let number = 0; number < 30; number++) {
    await countHost(number % 2 === 0 ? other : store, site.siteKey, number);
  }
  const hosts = await hostsOf(store, site.siteKey);
  assert.equal(hosts.size, MAX_NAMES_PER_DAY + 1);
  assert.equal(hosts.get("host:other"), 20);
  assert.deepEqual([hosts.get("host:h0.example.com"), hosts.get("host:h19.example.com")], [2, 2]);
  await Promise.all([store.close(), other.close()]);
});

test("a restarted process continues with the names of the day", async () => {
  const file = temporaryFile();
  const first = await openSqliteStore({ file });
  const { siteKey } = await seedSite(first);
  for (let number = 0; number < 15; number++) await countHost(first, siteKey, number);
  await first.close();
  const second = await openSqliteStore({ file });
  for (let number = 10; number < 30; number++) await countHost(second, siteKey, number);
  const hosts = await hostsOf(second, siteKey);
  assert.deepEqual([hosts.size, hosts.get("host:other")], [MAX_NAMES_PER_DAY + 1, 10]);
  await second.close();
});

test("names of a rolled-back transaction take no places", async () => {
  const { file, store, other, site } = await openTwice();
  await other.close();
  const saboteur = new DatabaseSync(file);
  saboteur.exec(
    "CREATE TRIGGER tear BEFORE INSERT ON statistics BEGIN SELECT RAISE(ABORT, 'torn'); END",
  );
  for (let number = 0; number < 20; number++)
    await assert.rejects(countHost(store, site.siteKey, number));
  saboteur.exec("DROP TRIGGER tear");
  saboteur.close();
  for (let number = 100; number < 125; number++) await countHost(store, site.siteKey, number);
  const hosts = await hostsOf(store, site.siteKey);
  assert.deepEqual([hosts.size, hosts.get("host:other")], [MAX_NAMES_PER_DAY + 1, 5]);
  assert.equal(hosts.get("host:h119.example.com"), 1);
  await store.close();
});

test("writes a spent challenge and its counts by minute, hour and day together or not at all (D3, single use)", async () => {
  const { file, store, other, site } = await openTwice();
  await other.close();
  for (const resolution of RESOLUTIONS) {
    const saboteur = new DatabaseSync(file);
    saboteur.exec(`CREATE TRIGGER tear BEFORE INSERT ON statistics WHEN NEW.resolution = '${resolution}'
      BEGIN SELECT RAISE(ABORT, 'torn'); END`);
    const spend = spendOf(site, { onSpent: ["challenge_solved", "score:login:05"] });
    await assert.rejects(store.challenges.spend(spend));
    saboteur.exec("DROP TRIGGER tear");
    const { rows } = saboteur.prepare("SELECT count(*) AS rows FROM statistics").get() as {
      rows: number;
    };
    saboteur.close();
    assert.equal(rows, 0, resolution);
    assert.equal(await store.challenges.spend({ ...spend, onSpent: [] }), "spent");
  }
  await store.close();
});

test("a purge leaves no row of the site in any table (D12, states)", async () => {
  const { file, store, other, site } = await openTwice();
  await other.close();
  const batch = Array.from({ length: 700 }, (_, minute) => {
    return {
      siteKey: site.siteKey,
      metric: "token_issued" as const,
      atMs: T0 + minute * 60_000,
      count: 1,
    };
  });
  await store.statistics.add(batch);
  await store.tokens.redeem(redemptionOf(site));
  store.keyUsage.record(site.secretKeys[0]?.digest ?? "", T0);
  await store.keyUsage.flush();
  const deleted = asDeleted(site, T0);
  await store.sites.replaceSite(deleted, 1);
  await store.sites.purgeSites(T0 + 1);
  await store.close();
  const database = new DatabaseSync(file);
  const leftIn = (table: string) =>
    (database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows;
  for (const table of ["statistics", "decisions", "key_usage", "sites"])
    assert.equal(leftIn(table), 0, table);
  database.close();
});

test("counting in an existing row builds no temporary table", async (context) => {
  const { file, store } = await openTwice();
  const database = new DatabaseSync(file);
  context.after(() => database.close());
  const steps = database.prepare(`EXPLAIN ${ADD_TO_ROW}`).all();
  assert.ok(steps.some(({ opcode }) => opcode === "Transaction"));
  assert.ok(!steps.some(({ opcode }) => opcode === "OpenEphemeral"));
  await store.close();
});
