// This version on tables that a later version upgraded: operators undo an upgrade by starting the
// version before.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { readConnectionOptions } from "../../postgres/engine/connection-options.ts";
import { createDatabase } from "../../postgres/engine/database.ts";
import { inspectPostgres } from "../../postgres/engine/inspect-postgres.ts";
import { migrate } from "../../postgres/engine/migrate-postgres.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { LEAST_KNOWN, POSTGRES_MIGRATIONS } from "../../postgres/schema/postgres-schema.ts";

const KNOWN = POSTGRES_MIGRATIONS.length;
const engine = await startPostgres({ isDurable: false });
after(engine.stop);

/**
 * Upgrades the tables as a version with these steps does. Programs that know `leastKnown` steps can
 * run on them.
 */
async function bringUpToDate(
  url: string,
  steps: readonly string[],
  leastKnown: number,
): Promise<void> {
  const database = await createDatabase(readConnectionOptions(url));
  try {
    await migrate(database.jobs, steps, leastKnown);
  } finally {
    await database.close();
  }
}

const later = ["ALTER TABLE sites ADD COLUMN later TEXT", "CREATE TABLE more (id BIGINT)"];

test("starts a node on tables of a later version that only added, next to that version's nodes", async () => {
  const url = engine.createDatabase("added");
  await bringUpToDate(url, [...POSTGRES_MIGRATIONS, ...later], KNOWN);
  const store = await openPostgresStore({ url });
  await store.ping();
  await store.close();
  assert.deepEqual(await inspectPostgres(url).then(({ step, leastKnown }) => [step, leastKnown]), [
    KNOWN + 2,
    KNOWN,
  ]);
  await bringUpToDate(url, [...POSTGRES_MIGRATIONS, ...later], KNOWN);
  assert.equal(
    engine.runSql("added", "SELECT max(number) FROM migrations").trim(),
    `${KNOWN + 2}`,
    "no step is taken twice",
  );
});

test("starts no node on tables of a later version that removed what this version uses", async () => {
  const url = engine.createDatabase("taken");
  await bringUpToDate(url, [...POSTGRES_MIGRATIONS, later[0] ?? ""], KNOWN);
  await bringUpToDate(url, [...POSTGRES_MIGRATIONS, ...later], KNOWN + 1);
  await assert.rejects(openPostgresStore({ url }), {
    name: "DatabaseProblem",
    message: new RegExp(
      `written by a newer version of Stile \\(its tables are at step ${KNOWN + 2}, this version knows ${KNOWN}\\)`,
    ),
  });
  await bringUpToDate(
    url,
    [...POSTGRES_MIGRATIONS, ...later, "CREATE TABLE yet_more (id BIGINT)"],
    KNOWN + 1,
  );
  await assert.rejects(
    openPostgresStore({ url }),
    { name: "DatabaseProblem" },
    "later additions do not help",
  );
  const other = engine.createDatabase("silent");
  await (await openPostgresStore({ url: other })).close();
  engine.runSql("silent", `INSERT INTO migrations (number) VALUES (${KNOWN + 1})`);
  await assert.rejects(
    openPostgresStore({ url: other }),
    { name: "DatabaseProblem" },
    "nor does a step without a least known number",
  );
});

test("upgrades tables of an earlier version, and records which programs can run on them", async () => {
  const url = engine.createDatabase("before");
  await (await openPostgresStore({ url })).close();
  const found = () => inspectPostgres(url).then(({ step, leastKnown }) => [step, leastKnown]);
  assert.deepEqual(await found(), [KNOWN, LEAST_KNOWN]);
  await bringUpToDate(url, [...POSTGRES_MIGRATIONS, ...later], KNOWN + 1);
  assert.deepEqual(await found(), [KNOWN + 2, KNOWN + 1]);
});
