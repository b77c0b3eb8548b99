// A database that lost a table: somebody dropped it, or put back only a part.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import type { Redemption } from "@stile/core/ports/token/token-ledger";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { inspectPostgres } from "../../postgres/engine/inspect-postgres.ts";
import { OWN_TABLES } from "../../postgres/own-tables.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite } from "../contract-fixtures.ts";
import { isUnavailable } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/** The answer of work that must not be done. */
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it was done"),
    (fault: unknown) => fault,
  );

test("the tables that a database must have are those that a first start makes", async () => {
  const store = await openPostgresStore({ url: engine.createDatabase("whole") });
  await store.close();
  const made = engine.runSql(
    "whole",
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  assert.deepEqual(made.split("\n").sort(), OWN_TABLES.toSorted());
});

test("a node whose database loses a table refuses what needs it, is not ready, and goes on once it is back (D15)", async (context) => {
  const node = await openPostgresStore({ url: engine.createDatabase("losing") });
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  engine.runSql("losing", "ALTER TABLE token_marks RENAME TO elsewhere");
  assert.ok(isUnavailable(await faultOf(node.tokens.redeem(redemptionOf(site)))));
  const unready = await faultOf(node.ping());
  assert.ok(isUnavailable(unready));
  assert.match((unready as Error).message, /lacks the table token_marks/);
  engine.runSql("losing", "ALTER TABLE elsewhere RENAME TO token_marks");
  await node.ping();
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
});

test("rows that nothing works without come back with the next sweep, and with a start (D3)", async (context) => {
  const url = engine.createDatabase("emptied");
  const node = await openPostgresStore({ url });
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  const nowMs = Date.now();
  const redeemAt = async (store: Store, over: Partial<Redemption>): Promise<string> =>
    (await store.tokens.redeem(redemptionOf(site, { nowMs, retainUntilMs: nowMs + 360_000, ...over }))).kind;
  const seeded = ["sweep_horizons", "turns", "heartbeat"];
  const countRows = (): string[] => seeded.map((table) => engine.runSql("emptied", `SELECT count(*) FROM ${table}`));
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
    assert.equal(await redeemAt(store, { retainUntilMs: nowMs - 1 }), "already_used", "it may have been swept");
  }
});

test("a start on a database without one of its tables says which, and what to do (D16)", async () => {
  const url = engine.createDatabase("lost");
  await (await openPostgresStore({ url })).close();
  for (const table of OWN_TABLES.filter((name) => name !== "migrations")) {
    engine.runSql("lost", `ALTER TABLE ${table} RENAME TO elsewhere`);
    const fault = (await faultOf(openPostgresStore({ url }))) as Error;
    assert.equal(fault.name, "DatabaseProblem", `${table}: ${fault.stack}`);
    assert.match(fault.message, new RegExp(`lacks the table ${table}, .* restore FILE --replace`));
    assert.deepEqual((await inspectPostgres(url)).missing, [table]);
    engine.runSql("lost", `ALTER TABLE elsewhere RENAME TO ${table}`);
  }
  await (await openPostgresStore({ url })).close();
});

test("a database without the table that says its version is not taken for another's, and told what to do (D16)", async () => {
  const url = engine.createDatabase("versionless");
  await (await openPostgresStore({ url })).close();
  engine.runSql("versionless", "DROP TABLE migrations");
  const { name, message } = (await faultOf(openPostgresStore({ url }))) as Error;
  assert.equal(name, "DatabaseProblem");
  assert.match(message, /its table "migrations" is missing\. .*restore FILE --replace/);
});
