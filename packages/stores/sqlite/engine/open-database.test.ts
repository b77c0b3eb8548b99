import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { describeDatabase } from "./describe-database.ts";
import { openDatabase } from "./open-database.ts";

test("opens with WAL and synchronous=FULL, so a commit survives a loss of power, and reports that as strict", async () => {
  const store = await openSqliteStore({ file: temporaryFile() });
  const { engine, durability, detail } = await store.describe();
  assert.match(engine, /^SQLite 3\.\d+/);
  assert.equal(durability, "strict");
  assert.equal(detail, "journal_mode=wal, synchronous=FULL");
  await store.close();
});

test("enforces references between tables and never waits inside SQLite (D16, operator)", async () => {
  const database = await openDatabase(temporaryFile(), () => 0);
  assert.equal(database.prepare("PRAGMA foreign_keys").get()?.foreign_keys, 1);
  assert.equal(database.prepare("PRAGMA busy_timeout").get()?.timeout, 0);
  database.close();
});

for (const [synchronous, durability] of [
  ["OFF", "best-effort"],
  ["NORMAL", "crash-safe"],
  ["FULL", "strict"],
  ["EXTRA", "strict"],
] as const) {
  test(`reports a write-ahead log with synchronous=${synchronous} as ${durability}, as the connection says`, () => {
    const database = new DatabaseSync(temporaryFile());
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    assert.deepEqual(
      { ...describeDatabase(database), engine: "" },
      {
        engine: "",
        durability,
        detail: `journal_mode=wal, synchronous=${synchronous}`,
        findings: [],
      },
    );
    database.close();
  });
}

test("reports a journal that is no write-ahead log as best-effort", () => {
  const database = new DatabaseSync(temporaryFile());
  assert.equal(describeDatabase(database).durability, "best-effort");
  database.close();
});

test("refuses a database that can't have a write-ahead log", async () => {
  await assert.rejects(openSqliteStore({ file: ":memory:" }), /write-ahead log/);
});

test("reports a file that can't be opened as unavailable, and a file that is no database as such", async () => {
  const file = temporaryFile();
  await assert.rejects(openSqliteStore({ file: dirname(file) }), StoreUnavailable);
  writeFileSync(
    file,
    "this is a letter and no database, and it is long enough to have a header ".repeat(20),
  );
  await assert.rejects(openSqliteStore({ file }), /not a database/);
});
