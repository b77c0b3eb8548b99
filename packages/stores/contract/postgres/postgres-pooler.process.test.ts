import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { PGBOUNCER, startPgBouncer } from "@stile/testkit/postgres/throw-away-pgbouncer";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { skipWithout } from "@stile/testkit/trials/debian-programs";
import pg from "pg";
import { DatabaseProblem } from "../../postgres/engine/database-problem.ts";
import { inspectPostgres } from "../../postgres/engine/inspect-postgres.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite } from "../contract-fixtures.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const skip = skipWithout(PGBOUNCER.file);
const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/**
 * The settings that operators make PgBouncer ignore when it refuses a driver's; then no session has
 * them.
 */
const IGNORED =
  "ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout";

async function startPooler(
  context: TestContext,
  mode: "session" | "transaction",
  settings: readonly string[] = [],
) {
  const pooler = await startPgBouncer(engine, { mode, settings });
  context.after(pooler.stop);
  return pooler;
}

test("redeems behind a PgBouncer that keeps sessions separate, and its deadlines apply there (D15, outage)", {
  skip,
}, async (context) => {
  engine.createDatabase("kept_apart");
  const pooler = await startPooler(context, "session", ["default_pool_size = 9"]);
  const node = await openPostgresStore({ url: pooler.urlOf("kept_apart") });
  context.after(() => node.close());
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  const locker = new pg.Client({ connectionString: engine.urlOf("kept_apart") });
  await locker.connect();
  context.after(() => locker.end());
  await locker.query("BEGIN; LOCK TABLE rate_counts IN ACCESS EXCLUSIVE MODE");
  await assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
  const { rows } = await locker.query(
    "SELECT FROM pg_stat_activity WHERE datname = 'kept_apart' AND query LIKE '%spend%' AND wait_event_type = 'Lock'",
  );
  assert.equal(rows.length, 0, "no statement still waits for the lock");
});

test("refuses a start behind a PgBouncer that shares sessions, says what to do, and creates nothing", {
  skip,
}, async (context) => {
  engine.createDatabase("handed_around");
  for (const settings of [[], [IGNORED]]) {
    const url = (await startPooler(context, "transaction", settings)).urlOf("handed_around");
    for (const attempt of [() => openPostgresStore({ url }), () => inspectPostgres(url)]) {
      await assert.rejects(
        attempt,
        (fault) =>
          fault instanceof DatabaseProblem &&
          /name PostgreSQL itself .*pool_mode = session\)\.$/.test(fault.message),
      );
    }
  }
  const made = engine.runSql(
    "handed_around",
    "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::REGNAMESPACE",
  );
  assert.equal(made, "0");
});

test("makes calls unavailable, without a fault, while a PgBouncer shares sessions of a running node, and then continues (D15, outage)", {
  skip,
}, async (context) => {
  engine.createDatabase("begins_to");
  const pooler = await startPooler(context, "session", ["default_pool_size = 9"]);
  const node = await openPostgresStore({ url: pooler.urlOf("begins_to") });
  context.after(() => node.close());
  const site = await seedSite(node);
  const redeem = async (): Promise<string> => (await node.tokens.redeem(redemptionOf(site))).kind;
  assert.equal(await redeem(), "spent");
  pooler.setMode("transaction");
  const faults: unknown[] = [];
  const sinceMs = performance.now();
  for (let round = 0; faults.length < 3; round++, await delay(20)) {
    // Calls that run meanwhile take sessions from one another. Their number varies, since the
    // pooler lends sessions in its own order.
    const others = Array.from({ length: 1 + (round % 6) }, () => node.sites.listAccounts());
    const asked = [...others, redeem(), node.ping()];
    for (const end of await Promise.allSettled(asked))
      if (end.status === "rejected") faults.push(end.reason);
    assert.ok(performance.now() - sinceMs < GENEROUS_MS, "no session was shared");
  }
  for (const fault of faults) assert.ok(isUnavailable(fault), String(fault));
  pooler.setMode("session");
  assert.equal(await untilAnswered(redeem), "spent");
});
