import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { seedSite } from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { migrate, NewerDatabase } from "./migrate.ts";

const STEPS = [
  "CREATE TABLE sheep (name TEXT) STRICT; INSERT INTO sheep VALUES ('Dolly')",
  "ALTER TABLE sheep ADD COLUMN legs INTEGER; UPDATE sheep SET legs = 4",
];

function tablesOf(database: DatabaseSync): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
}

test("applies each step once, however often it is called", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, STEPS.slice(0, 1));
  migrate(database, STEPS.slice(0, 1));
  migrate(database, STEPS);
  migrate(database, STEPS);
  assert.deepEqual(
    { ...database.prepare("SELECT name, legs FROM sheep").get() },
    { name: "Dolly", legs: 4 },
  );
  assert.equal(database.prepare("SELECT count(*) AS count FROM sheep").get()?.count, 1);
});

test("a step that fails leaves the database unchanged, and can be applied later", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, STEPS.slice(0, 1));
  const broken = "CREATE TABLE half (name TEXT) STRICT; INSERT INTO nowhere VALUES (1)";
  assert.throws(() => migrate(database, [...STEPS, broken]), /nowhere/);
  assert.deepEqual(tablesOf(database), ["migrations", "sheep"]);
  assert.deepEqual({ ...database.prepare("SELECT * FROM sheep").get() }, { name: "Dolly" });
  assert.equal(database.prepare("SELECT max(number) AS last FROM migrations").get()?.last, 1);
  assert.equal(database.isTransaction, false);
  migrate(database, [...STEPS, "CREATE TABLE whole (name TEXT) STRICT"]);
  assert.deepEqual(tablesOf(database), ["migrations", "sheep", "whole"]);
});

test("refuses a database of a newer version, says what to do, and leaves it unchanged", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, STEPS);
  assert.throws(
    () => migrate(database, STEPS.slice(0, 1)),
    (error) =>
      error instanceof NewerDatabase && /step 2.*knows 1\).*Start that version/.test(error.message),
  );
  assert.equal(database.prepare("SELECT max(number) AS last FROM migrations").get()?.last, 2);
});

test("refuses to open a store of a newer version, and closes the file", async () => {
  const file = temporaryFile();
  await (await openSqliteStore({ file })).close();
  const database = new DatabaseSync(file);
  database.exec("INSERT INTO migrations (number) VALUES (999)");
  await assert.rejects(openSqliteStore({ file }), NewerDatabase);
  database.exec("DELETE FROM migrations WHERE number = 999");
  database.close();
  await (await openSqliteStore({ file })).close();
});

test("two stores opened at once on a new file both work and have the same content", async () => {
  const file = temporaryFile();
  const [first, second] = await Promise.all([openSqliteStore({ file }), openSqliteStore({ file })]);
  const site = await seedSite(first);
  assert.deepEqual(await second.sites.findSite(site.siteKey), site);
  await Promise.all([first.close(), second.close()]);
});

test("opening again keeps what was written", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  await store.close();
  for (let round = 0; round < 2; round++) {
    const again = await openSqliteStore({ file });
    assert.deepEqual(await again.sites.findSite(site.siteKey), site);
    await again.close();
  }
});
