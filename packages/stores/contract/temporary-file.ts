import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../sqlite/engine/open-database.ts";

let allFolders: string | undefined;

/**
 * The path of a database in its own directory, which is removed when the process ends: stores still
 * write when a test closes them.
 */
export function temporaryFile(): string {
  if (allFolders === undefined) {
    const made = mkdtempSync(join(tmpdir(), "stile-store-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    allFolders = made;
  }
  return join(mkdtempSync(join(allFolders, "store-")), "stile.sqlite");
}

let tables: Promise<Buffer> | undefined;

/** The file of a database with today's tables and no rows. */
async function makeTables(): Promise<Buffer> {
  const file = temporaryFile();
  (await openDatabase(file, () => 0)).close();
  return readFileSync(file);
}

/**
 * Removes all rows from a database except those that its tables are created with. Stores may have
 * it open.
 */
export async function emptyTables(file: string): Promise<void> {
  const pristine = await emptyDatabase();
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
  database.prepare("ATTACH ? AS pristine").run(pristine);
  const tables = database
    .prepare("SELECT name FROM pristine.sqlite_schema WHERE type = 'table'")
    .all();
  const refill = tables.map(
    ({ name }) =>
      `DELETE FROM main.${name}; INSERT INTO main.${name} SELECT * FROM pristine.${name};`,
  );
  database.exec(`BEGIN IMMEDIATE; ${refill.join(" ")} COMMIT`);
  database.close();
}

/**
 * A temporary file with a database that has its tables. Creating these takes ten times as long as
 * copying the file.
 */
export async function emptyDatabase(): Promise<string> {
  tables ??= makeTables();
  const file = temporaryFile();
  writeFileSync(file, await tables);
  return file;
}
