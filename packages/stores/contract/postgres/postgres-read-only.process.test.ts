import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite } from "../contract-fixtures.ts";
import { GENEROUS_MS, isUnavailable } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: true, settings: ["restore_command=false"] });
after(engine.stop);

async function beginNode(context: TestContext, database: string) {
  const node = await openPostgresStore({ url: engine.createDatabase(database) });
  context.after(() => node.close());
  await node.begin();
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  return { node, site };
}

/** Asks until an engine that accepts no writes refuses it with that SQLSTATE. */
async function untilRefused(ask: () => Promise<unknown>, code: string): Promise<void> {
  for (const sinceMs = performance.now(); ; await delay(20)) {
    const fault = await ask().catch((error: unknown) => error);
    if (isUnavailable(fault) && Object((fault as Error).cause).code === code) return;
    assert.ok(performance.now() - sinceMs < GENEROUS_MS, String(fault));
  }
}

/**
 * How many times the call fails as unavailable before it is answered. Tries once more than there
 * are connections.
 */
async function countRefusals(ask: () => Promise<unknown>): Promise<number> {
  for (let refusals = 0; refusals < 7; refusals++) {
    if (!isUnavailable(await ask().catch((error: unknown) => error))) return refusals;
  }
  return assert.fail("it is still refused");
}

/** One call of each kind that writes. */
const writesOf = (node: Store, site: Parameters<typeof redemptionOf>[0]) => [
  () => node.tokens.redeem(redemptionOf(site)),
  () => node.ping(),
];

test("keeps no connection from a time in which the database was read only (D15, outage)", async (context) => {
  const { node, site } = await beginNode(context, "read_only");
  const writes = writesOf(node, site);
  engine.runSql("postgres", "ALTER DATABASE read_only SET default_transaction_read_only = on");
  engine.runSql(
    "postgres",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'read_only'",
  );
  for (const write of writes) await untilRefused(write, "25006");
  engine.runSql("postgres", "ALTER DATABASE read_only RESET default_transaction_read_only");
  for (const write of writes) await countRefusals(write);
});

test("keeps no connection that leads to a standby, because the next one may lead to the primary (D15, outage)", async (context) => {
  const { node, site } = await beginNode(context, "standby");
  const [directory = ""] = engine.runSql("postgres", "SHOW data_directory").split("\n");
  await engine.kill();
  writeFileSync(join(directory, "standby.signal"), "");
  await engine.start();
  await untilRefused(() => node.tokens.redeem(redemptionOf(site)), "25006");
  const kept =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = 'standby' AND query LIKE '%spend%'";
  for (
    const sinceMs = performance.now();
    engine.runSql("postgres", kept) !== "0";
    await delay(20)
  ) {
    assert.ok(
      performance.now() - sinceMs < GENEROUS_MS / 2,
      "the session on the standby is still there",
    );
  }
  engine.runSql("postgres", "SELECT pg_promote()");
});
