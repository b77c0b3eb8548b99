// A database that lost a table: somebody dropped it, or restored only a part.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Redemption } from "@stile/core/domain/token/single-use";
import type { Store } from "@stile/core/ports/store";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { findPostgresPrograms } from "../../postgres/archive/postgres-programs.ts";
import { inspectPostgres } from "../../postgres/engine/inspect-postgres.ts";
import { OWN_TABLES } from "../../postgres/own-tables.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite } from "../contract-fixtures.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/** The fault of work that must not succeed. */
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it was done"),
    (fault: unknown) => fault,
  );

/**
 * The fault of work that must not succeed, with the expected message. On a busy machine the engine
 * may miss a deadline, which is another fault; then the work is tried again.
 */
async function faultThatSays(ask: () => Promise<unknown>, expected: RegExp): Promise<Error> {
  for (const sinceMs = performance.now(); ; await delay(20)) {
    const fault = await faultOf(ask());
    assert.ok(fault instanceof Error);
    const isLate = isUnavailable(fault) && performance.now() - sinceMs < GENEROUS_MS;
    if (isLate && !expected.test(fault.message)) continue;
    assert.match(fault.message, expected);
    return fault;
  }
}

test("requires the tables that a first start creates", async () => {
  const store = await openPostgresStore({ url: engine.createDatabase("whole") });
  await store.close();
  const made = engine.runSql(
    "whole",
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  assert.deepEqual(made.split("\n").sort(), OWN_TABLES.toSorted());
});

test("refuses what a lost table affects, is not ready, and continues once the table is back (D15, outage)", async (context) => {
  const node = await openPostgresStore({ url: engine.createDatabase("losing") });
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  engine.runSql("losing", "ALTER TABLE token_marks RENAME TO elsewhere");
  assert.ok(isUnavailable(await faultOf(node.tokens.redeem(redemptionOf(site)))));
  assert.ok(isUnavailable(await faultThatSays(node.ping, /lacks the table token_marks/)));
  engine.runSql("losing", "ALTER TABLE elsewhere RENAME TO token_marks");
  await untilAnswered(node.ping);
  const redeemed = await untilAnswered(() => node.tokens.redeem(redemptionOf(site)));
  assert.equal(redeemed.kind, "spent");
});

test("refuses a write that names a lost key, and continues once the key is back (D15, outage)", async (context) => {
  const node = await openPostgresStore({ url: engine.createDatabase("keyless") });
  context.after(() => node.close());
  const site = await seedSite(node);
  const redeem = () => node.tokens.redeem({ ...redemptionOf(site), onSpent: ["challenge_issued"] });
  const key = "CONSTRAINT statistics_pkey";
  engine.runSql("keyless", `ALTER TABLE statistics DROP ${key}`);
  assert.ok(isUnavailable(await faultOf(redeem())));
  await faultThatSays(node.ping, /lacks the table statistics with its primary key/);
  engine.runSql(
    "keyless",
    `ALTER TABLE statistics ADD ${key} PRIMARY KEY (site_key, resolution, kind, start_ms, name)`,
  );
  await untilAnswered(node.ping);
  assert.equal((await untilAnswered(redeem)).kind, "spent");
});

test("spends no token twice when it starts on tables without keys, as an interrupted restore leaves them (D3, single use; D16, operator)", async () => {
  const url = engine.createDatabase("whole_keys");
  const store = await openPostgresStore({ url });
  await store.housekeeping.sweep(Date.now());
  await store.close();
  const part = engine.createDatabase("without_keys");
  const file = join(mkdtempSync(join(tmpdir(), "stile-part-")), "dump");
  const programs = findPostgresPrograms(1);
  const run = (program: string, ...args: readonly string[]): void =>
    assert.equal(spawnSync(program, [...args], { encoding: "utf8" }).stderr, "");
  run(programs.pgDump, "--format=custom", `--file=${file}`, url);
  run(programs.pgRestore, "--section=pre-data", "--section=data", `--dbname=${part}`, file);
  await faultThatSays(
    () => openPostgresStore({ url: part }),
    /lacks the tables .*token_marks with its primary key.* restore FILE --replace/,
  );
  // A key is whole once all partitions have theirs.
  run(programs.pgRestore, "--section=post-data", `--dbname=${part}`, file);
  await (await openPostgresStore({ url: part })).close();
});

test("restores rows that nothing works without at the next sweep, and at a start (D3, single use)", async (context) => {
  const url = engine.createDatabase("emptied");
  const node = await openPostgresStore({ url });
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  const nowMs = Date.now();
  const redeemAt = async (store: Store, over: Partial<Redemption>): Promise<string> =>
    (
      await store.tokens.redeem(
        redemptionOf(site, { nowMs, retainUntilMs: nowMs + 360_000, ...over }),
      )
    ).kind;
  const seeded = ["sweep_horizons", "turns", "heartbeat"];
  const countRows = (): string[] =>
    seeded.map((table) => engine.runSql("emptied", `SELECT count(*) FROM ${table}`));
  const before = countRows();
  for (const putBack of [
    async () => {
      await node.housekeeping.sweep(nowMs);
      return node;
    },
    async () => {
      const started = await openPostgresStore({ url });
      context.after(() => started.close());
      return started;
    },
  ]) {
    engine.runSql("emptied", `TRUNCATE ${seeded.join(", ")}`);
    const store = await putBack();
    assert.deepEqual(countRows(), before);
    assert.equal(await redeemAt(store, {}), "spent");
    assert.equal(
      await redeemAt(store, { retainUntilMs: nowMs - 1 }),
      "already_used",
      "it may have been swept",
    );
  }
});

test("names the missing table when a start finds one missing, and says what to do (D16, operator)", async () => {
  const url = engine.createDatabase("lost");
  await (await openPostgresStore({ url })).close();
  for (const table of OWN_TABLES.filter((name) => name !== "migrations")) {
    engine.runSql("lost", `ALTER TABLE ${table} RENAME TO elsewhere`);
    const { name } = await faultThatSays(
      () => openPostgresStore({ url }),
      new RegExp(`lacks the table ${table}, .* restore FILE --replace`),
    );
    assert.equal(name, "DatabaseProblem", table);
    assert.deepEqual((await inspectPostgres(url)).missing, [table]);
    engine.runSql("lost", `ALTER TABLE elsewhere RENAME TO ${table}`);
  }
  await (await openPostgresStore({ url })).close();
});

test("recognises its own database without the version table, and says what to do (D16, operator)", async () => {
  const url = engine.createDatabase("versionless");
  await (await openPostgresStore({ url })).close();
  engine.runSql("versionless", "DROP TABLE migrations");
  const { name } = await faultThatSays(
    () => openPostgresStore({ url }),
    /its table "migrations" is missing\. .*restore FILE --replace/,
  );
  assert.equal(name, "DatabaseProblem");
});
