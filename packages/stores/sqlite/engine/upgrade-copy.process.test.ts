import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { MIGRATIONS } from "../schema/sqlite-schema.ts";
import { openSqliteStore } from "../sqlite-store.ts";
import { inspectDatabase, readStep } from "./database-file.ts";
import { migrate } from "./migrate.ts";
import { KEPT_COPIES, UpgradeRefused } from "./upgrade-copy.ts";

/** This process is a later version, with four more migrations than the first. */
for (const name of ["one", "two", "three", "four"])
  (MIGRATIONS as string[]).push(`CREATE TABLE later_${name} (id INTEGER PRIMARY KEY) STRICT`);

/** Creates the database of a version that knew that many steps, with one account in it. */
function makeOld(file: string, steps: number): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  migrate(database, MIGRATIONS.slice(0, steps));
  database.exec(
    "INSERT INTO accounts (account_id, name, created_at_ms) VALUES ('acc_1', 'Old', 7)",
  );
  database.close();
}

/** The files in the database's folder, except those of its log. */
const filesBeside = (file: string): string[] =>
  readdirSync(dirname(file))
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();

/** Opens and closes the store; returns the copies that it reported. */
async function upgrade(file: string): Promise<string[]> {
  const told: string[] = [];
  const store = await openSqliteStore({ file, onUpgrade: (copy) => told.push(copy) });
  const [account] = await store.sites.listAccounts();
  await store.close();
  assert.equal(account?.name, "Old");
  return told;
}

for (let steps = 1; steps < MIGRATIONS.length; steps++) {
  test(`a database at step ${steps} is copied whole before its upgrade, readable only by its owner`, async () => {
    const file = temporaryFile();
    makeOld(file, steps);
    assert.deepEqual(await upgrade(file), [
      `${file}.before-upgrade-${String(steps + 1).padStart(4, "0")}`,
    ]);
    const copy = `${file}.before-upgrade-${String(steps + 1).padStart(4, "0")}`;
    assert.equal((statSync(copy).mode & 0o777).toString(8), "600");
    assert.deepEqual([readStep(copy), readStep(file)], [steps, MIGRATIONS.length]);
    assert.equal(inspectDatabase(copy, true).kind, "installation");
    rmSync(file);
    makeOld(file, steps);
    assert.deepEqual(
      await upgrade(file),
      [copy],
      "another upgrade from the same step replaces the copy",
    );
    assert.deepEqual(
      readdirSync(dirname(file)).sort(),
      [file, copy].map((path) => basename(path)).sort(),
    );
    assert.deepEqual(await upgrade(file), [], "a database that is up to date is not copied");
  });
}

test(`keeps only the newest ${KEPT_COPIES} copies`, async () => {
  const file = temporaryFile();
  const made: string[] = [];
  for (let steps = 1; steps < MIGRATIONS.length; steps++) {
    rmSync(file, { force: true });
    makeOld(file, steps);
    made.push(...(await upgrade(file)));
  }
  assert.ok(made.length > KEPT_COPIES);
  const kept = readdirSync(dirname(file)).filter((name) => name.includes("before-upgrade"));
  assert.deepEqual(
    kept.sort(),
    made.slice(-KEPT_COPIES).map((copy) => basename(copy)),
  );
});

test("a database that can't be copied is not upgraded, and stays unchanged", async () => {
  const file = temporaryFile();
  makeOld(file, 2);
  mkdirSync(`${file}.before-upgrade-0003`);
  const was = readFileSync(file);
  await assert.rejects(
    openSqliteStore({ file }),
    (error) =>
      error instanceof UpgradeRefused &&
      /must upgrade .*Nothing was changed\.$/.test(error.message),
  );
  assert.deepEqual(readFileSync(file), was);
  assert.deepEqual(
    filesBeside(file),
    [basename(file), `${basename(file)}.before-upgrade-0003`],
    "no draft is left",
  );
});

/** A database with the unfinished copy of a process that was killed while it copied. */
async function killOverCopy(): Promise<string> {
  const file = temporaryFile();
  makeOld(file, 2);
  const program = join(import.meta.dirname, "../../contract/sqlite/killed-over-copy.ts");
  const [, signal] = await once(fork(program, [file]), "exit");
  assert.equal(signal, "SIGKILL");
  assert.match(filesBeside(file).join(" "), /before-upgrade-0003\.\d+\.part/);
  return file;
}

test("opening the database removes the unfinished copy of a killed process", async () => {
  const file = await killOverCopy();
  const name = basename(file);
  assert.deepEqual(await upgrade(file), [`${file}.before-upgrade-0003`]);
  assert.deepEqual(filesBeside(file), [name, `${name}.before-upgrade-0003`]);
  // The database is upgraded by now. One draft is of a process that is gone, the other has the
  // number of this process.
  for (const pid of [2 ** 22 + 1, process.pid])
    writeFileSync(`${file}.before-upgrade-0003.${pid}.part`, "");
  // A process that is still copying keeps its own draft.
  const others = `${name}.before-upgrade-0003.${process.ppid}.part`;
  writeFileSync(join(dirname(file), others), "");
  assert.deepEqual(await upgrade(file), []);
  assert.deepEqual(filesBeside(file), [name, `${name}.before-upgrade-0003`, others]);
});

test("does not copy a new database", async () => {
  const file = temporaryFile();
  const store = await openSqliteStore({
    file,
    onUpgrade: () => assert.fail("there was nothing to upgrade"),
  });
  await store.close();
});
