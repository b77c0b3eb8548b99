import { existsSync, realpathSync, statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { WrappedServiceKey } from "@stile/core/ports/service-keys";
import { clearMove, type Move, readMove } from "../../move/move-mark.ts";
import { NEWEST_TIMES } from "../../rows/newest-times.ts";
import { isBusy } from "./busy.ts";
import { prepareSelect, selectOne } from "./select.ts";

/**
 * The content of a database file.
 *
 * - `missing`: there is no file.
 * - `empty`: it holds no installation, for example because its write-ahead log was left behind.
 * - `damaged`: it is no database, or some of its pages are torn.
 * - `unreadable`: the system or another process prevents reading.
 *
 * `step` is the last migration that was applied.
 */
export type DatabaseFinding =
  | { readonly kind: "missing" | "empty" }
  | { readonly kind: "damaged" | "unreadable"; readonly detail: string }
  | {
      readonly kind: "installation";
      readonly step: number;
      readonly serviceKeys: readonly Pick<WrappedServiceKey, "keyId" | "wrapped">[];
      /** The greatest id that any service key ever had; 0 or undefined if unknown. */
      readonly newestKeyId?: number;
      /** The database that the installation was moved to, or is being moved to. */
      readonly move?: Move | undefined;
    };

/** The most lines of SQLite's own report that are passed on. */
const MAX_REPORTED = 3;
/** Primary result codes of SQLite that say nothing about the file's content. */
const UNREADABLE: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 10, 14, 15, 23]);

function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
    undefined
  );
}

function hasColumn(database: DatabaseSync, table: string, column: string): boolean {
  return (
    database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, column) !==
    undefined
  );
}

function countRows(
  database: DatabaseSync,
  table: "accounts" | "generations" | "service_keys",
): number {
  if (!hasTable(database, table)) return 0;
  return selectOne<{ rows: number }>(database, `SELECT count(*) AS rows FROM ${table}`).rows;
}

function readServiceKeys(database: DatabaseSync) {
  if (!hasTable(database, "service_keys")) return [];
  const select = "SELECT key_id AS keyId, wrapped FROM service_keys ORDER BY key_id";
  return prepareSelect<Pick<WrappedServiceKey, "keyId" | "wrapped">>(database, select).all();
}

function readNewestKeyId(database: DatabaseSync): number {
  if (!hasColumn(database, "generations", "newest_key_id")) return 0;
  return (
    prepareSelect<{ id: number }>(database, "SELECT newest_key_id AS id FROM generations").get()
      ?.id ?? 0
  );
}

function readLastStep(database: DatabaseSync): number {
  if (!hasTable(database, "migrations")) return 0;
  return selectOne<{ step: number }>(
    database,
    "SELECT coalesce(max(number), 0) AS step FROM migrations",
  ).step;
}

/**
 * Opens a connection that changes nothing. A database without a log is complete, so it is opened as
 * immutable: otherwise SQLite would create files next to it, which fails on a full or read-only
 * disk.
 */
function openToRead(file: string): DatabaseSync {
  // SQLite keeps the log next to the real file, not next to a link.
  const path = realpathSync(file);
  const url = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout: 1000 });
}

/**
 * The last migration applied to the database in that file; 0 if there is no file. Throws SQLite's
 * errors.
 */
export function readStep(file: string): number {
  if (!existsSync(file)) return 0;
  const database = openToRead(file);
  try {
    return readLastStep(database);
  } finally {
    database.close();
  }
}

function findDamage(database: DatabaseSync): string | undefined {
  const rows = prepareSelect<{ quick_check: string }>(
    database,
    `PRAGMA quick_check(${MAX_REPORTED})`,
  ).all();
  const lines = rows.map((row) => row.quick_check);
  return lines.length === 1 && lines[0] === "ok"
    ? undefined
    : lines.join("\n").replaceAll(/\n+/g, "; ");
}

function lookInto(database: DatabaseSync, isThorough: boolean): DatabaseFinding {
  const rows = (["accounts", "generations", "service_keys"] as const).map((table) =>
    countRows(database, table),
  );
  const detail = isThorough ? findDamage(database) : undefined;
  if (detail !== undefined) return { kind: "damaged", detail };
  if (rows.every((count) => count === 0)) return { kind: "empty" };
  const step = readLastStep(database);
  if (step === 0) return { kind: "damaged", detail: `its table "migrations" is empty` };
  return {
    kind: "installation",
    step,
    serviceKeys: readServiceKeys(database),
    newestKeyId: readNewestKeyId(database),
    move: readMove(database),
  };
}

/**
 * Inspects a database without changing it. `isThorough` reads every page, which takes 1 ms per MB,
 * or 2 ms from a cold disk. Otherwise it finds only damage that shows at once.
 */
export function inspectDatabase(file: string, isThorough: boolean): DatabaseFinding {
  if (!existsSync(file)) return { kind: "missing" };
  let database: DatabaseSync | undefined;
  try {
    database = openToRead(file);
    return lookInto(database, isThorough);
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { readonly errcode?: number };
    return { kind: UNREADABLE.has(errcode & 0xff) ? "unreadable" : "damaged", detail: message };
  } finally {
    database?.close();
  }
}

/**
 * Ends every session and link in a backup that is about to be restored. Some may have been ended or
 * used after the backup was made, and each one lets somebody sign in.
 */
export function endWaysIn(file: string): void {
  const database = new DatabaseSync(file);
  try {
    for (const table of ["sessions", "links"])
      if (hasTable(database, table)) database.exec(`DELETE FROM ${table}`);
  } finally {
    database.close();
  }
}

/**
 * Lowers times in a backup that are later than now. A server whose clock was ahead may have written
 * them. Otherwise starts would follow the later time, new tokens would count as swept, and a secret
 * key replaced now would keep working until a day after that time.
 */
export function beginAt(file: string, nowMs: number): void {
  const database = new DatabaseSync(file);
  try {
    for (const { table, column } of NEWEST_TIMES) {
      if (!hasColumn(database, table, column)) continue;
      database.prepare(`UPDATE ${table} SET ${column} = ?1 WHERE ${column} > ?1`).run(nowMs);
    }
  } finally {
    database.close();
  }
}

/** How long to wait for another process that is about to close the database, ms. */
const END_WAIT_MS = 1000;

/**
 * Checkpoints the log of a database that is about to be replaced, and locks the database; the
 * returned function unlocks it. SQLite finds a log by its name: a process that still had the old
 * database open would remove the new one's log when it closes. A database that is missing, empty or
 * damaged is not locked. Throws SQLITE_BUSY if another process has it open.
 */
export function holdAlone(file: string): () => void {
  // SQLite would remove the log of an empty file, and write the log of a damaged file into it. Both
  // must stay as they are.
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isEmpty || !["installation", "unreadable"].includes(inspectDatabase(file, false).kind))
    return () => {};
  const database = new DatabaseSync(file, { timeout: END_WAIT_MS });
  try {
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) throw error;
    return () => {};
  }
  return () => database.close();
}

/**
 * Copies all pages in one step. If a server wrote between two steps, SQLite would start the copy
 * again each time.
 */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Writes a complete, consistent copy of the database into one file, even while a server writes. The
 * copy has no generation of its own. So a server that starts on it retires the keys (decision 0010,
 * retired keys), and may serve even if the original was moved.
 */
export async function copyDatabase(file: string, to: string): Promise<void> {
  // Opened with locks, because a server may begin to write meanwhile.
  const source = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    if (hasTable(copy, "generations"))
      copy.exec("UPDATE generations SET is_stopped = 0, boot_id = NULL");
    clearMove(copy);
  } finally {
    copy.close();
  }
}
