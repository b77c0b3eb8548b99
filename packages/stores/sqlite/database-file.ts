import { existsSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";

/**
 * What lies in a database's file. `missing`: there is none; `empty`: no installation in it, as in a file whose write-ahead log
 * was left behind; `damaged`: not a database, or one with torn pages.
 */
export type DatabaseFinding =
  | { readonly kind: "missing" | "empty" }
  | { readonly kind: "damaged"; readonly detail: string }
  | { readonly kind: "installation"; readonly accounts: number };

/** Most lines of SQLite's own report that are passed on. */
const MAX_REPORTED = 3;

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

function countRows(database: DatabaseSync, table: "accounts" | "generations"): number {
  if (!hasTable(database, table)) return 0;
  return (database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows;
}

function findDamage(database: DatabaseSync): string | undefined {
  const rows = database.prepare(`PRAGMA quick_check(${MAX_REPORTED})`).all() as { quick_check: string }[];
  const lines = rows.map((row) => row.quick_check);
  return lines.length === 1 && lines[0] === "ok" ? undefined : lines.join("\n").replaceAll(/\n+/g, "; ");
}

/**
 * Looks without changing anything. `isThorough` reads every page, which takes about a second a gigabyte; else only damage that
 * shows at once is found.
 */
export function inspectDatabase(file: string, isThorough: boolean): DatabaseFinding {
  if (!existsSync(file)) return { kind: "missing" };
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
    const accounts = countRows(database, "accounts");
    const isBegun = accounts > 0 || countRows(database, "generations") > 0;
    const detail = isThorough ? findDamage(database) : undefined;
    if (detail !== undefined) return { kind: "damaged", detail };
    return isBegun ? { kind: "installation", accounts } : { kind: "empty" };
  } catch (error) {
    return { kind: "damaged", detail: (error as Error).message };
  } finally {
    database?.close();
  }
}

/**
 * Writes a whole, consistent copy of the database, whatever a server does meanwhile, into one file that needs no other. The
 * copy begins no run of its own: whatever starts on it retires the keys (decision 0018).
 */
export async function copyDatabase(file: string, to: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    await backup(source, to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    if (hasTable(copy, "generations")) copy.exec("UPDATE generations SET is_stopped = 0, boot_id = NULL");
  } finally {
    copy.close();
  }
}
