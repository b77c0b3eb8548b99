import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../sqlite/engine/open-database.ts";

let allFolders: string | undefined;

/** The path of a database in a directory of its own, removed at the end of the process: stores still write when a test closes them. */
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

/** A temporary file with a database that has its tables: making these takes ten times as long as copying the file. */
export async function emptyDatabase(): Promise<string> {
  tables ??= makeTables();
  const file = temporaryFile();
  writeFileSync(file, await tables);
  return file;
}
