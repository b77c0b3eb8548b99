// A node upgrades the tables while other nodes use them, and while a backup reads them.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import pg from "pg";
import { readConnectionOptions } from "../../postgres/engine/connection-options.ts";
import { createDatabase } from "../../postgres/engine/database.ts";
import { migrate } from "../../postgres/engine/migrate-postgres.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { LEAST_KNOWN, POSTGRES_MIGRATIONS } from "../../postgres/schema/postgres-schema.ts";

const LATER = [...POSTGRES_MIGRATIONS, "ALTER TABLE sites ADD COLUMN later TEXT"];
/** How long the backup keeps reading while the tables wait for the upgrade, ms. */
const READS_MS = 3_000;

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/**
 * A database with a node on it, and a transaction that reads its sites, as `pg_dump` does for as
 * long as it runs.
 */
async function beginBackup(name: string) {
  const url = engine.createDatabase(name);
  const node = await openPostgresStore({ url });
  const backup = new pg.Client({ connectionString: url });
  await backup.connect();
  await backup.query("BEGIN; LOCK TABLE sites IN ACCESS SHARE MODE");
  const newcomer = await createDatabase(readConnectionOptions(url));
  return {
    node,
    backup,
    newcomer,
    end: () => Promise.all([node.close(), backup.end(), newcomer.close()]),
  };
}

test("does not block running nodes while an upgrade waits for a backup, and upgrades when the backup is over", async () => {
  const { node, backup, newcomer, end } = await beginBackup("waits");
  try {
    const upgrade = migrate(newcomer.jobs, LATER, LEAST_KNOWN);
    const sinceMs = performance.now();
    let asked = 0;
    for (; performance.now() - sinceMs < READS_MS; asked++) {
      // This rejects if it takes a second, like a request.
      assert.equal(await node.sites.findSite("pk_unknown"), undefined);
      await delay(10);
    }
    assert.ok(asked > 10, `${asked}`);
    await backup.query("COMMIT");
    await upgrade;
    assert.equal(
      engine.runSql("waits", "SELECT max(number) FROM migrations").trim(),
      `${LATER.length}`,
    );
  } finally {
    await end();
  }
});

test("ends an upgrade that never gets its turn with a message, and changes nothing", async () => {
  const { newcomer, end } = await beginBackup("never");
  try {
    await assert.rejects(migrate(newcomer.jobs, LATER, LEAST_KNOWN, 1_000), {
      name: "DatabaseProblem",
      message: /^The tables can't be upgraded while another program reads them, .*backup/,
    });
    assert.equal(
      engine.runSql("never", "SELECT max(number) FROM migrations").trim(),
      `${POSTGRES_MIGRATIONS.length}`,
    );
  } finally {
    await end();
  }
});
