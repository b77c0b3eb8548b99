import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openDatabase } from "../sqlite/engine/open-database.ts";

let allFolders: string | undefined;

/** Path of a database in a directory of its own, which goes with the process: stores are closed when a test ends, and write there then. */
export function temporaryFile(_context: TestContext): string {
  if (allFolders === undefined) {
    const made = mkdtempSync(join(tmpdir(), "stile-store-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    allFolders = made;
  }
  return join(mkdtempSync(join(allFolders, "store-")), "stile.sqlite");
}

let tables: Promise<Buffer> | undefined;

/** The file of a database with today's tables and no rows. */
async function makeTables(context: TestContext): Promise<Buffer> {
  const file = temporaryFile(context);
  (await openDatabase(file, () => 0)).close();
  return readFileSync(file);
}

/** A temporary file with a database that has its tables: making these takes ten times as long as copying the file. */
export async function emptyDatabase(context: TestContext): Promise<string> {
  tables ??= makeTables(context);
  const file = temporaryFile(context);
  writeFileSync(file, await tables);
  return file;
}
