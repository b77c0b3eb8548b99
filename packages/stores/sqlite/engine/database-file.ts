import { existsSync, statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { WrappedServiceKey } from "@stile/core/ports/service-keys";
import { clearMove, type Move, readMove } from "../../move/move-mark.ts";
import { NEWEST_TIMES } from "../../newest-times.ts";
import { isBusy } from "./busy.ts";
import { prepareSelect, selectOne } from "./select.ts";

/**
 * What lies in a database's file. `missing`: there is none; `empty`: no installation in it, as in a file whose write-ahead log
 * was left behind; `damaged`: not a database, or one with torn pages; `unreadable`: the system or another process stands in the way.
 * `step` is the last migration it took.
 */
export type DatabaseFinding =
  | { readonly kind: "missing" | "empty" }
  | { readonly kind: "damaged" | "unreadable"; readonly detail: string }
  | {
      readonly kind: "installation";
      readonly step: number;
      readonly serviceKeys: readonly Pick<WrappedServiceKey, "keyId" | "wrapped">[];
      /** Where the installation was moved, or is being moved. */
      readonly move?: Move | undefined;
    };

/** Most lines of SQLite's own report that are passed on. */
const MAX_REPORTED = 3;
/** Primary result codes of SQLite that tell nothing of what is in the file. */
const UNREADABLE: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 10, 14, 15, 23]);

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

function countRows(database: DatabaseSync, table: "accounts" | "generations" | "service_keys"): number {
  if (!hasTable(database, table)) return 0;
  return selectOne<{ rows: number }>(database, `SELECT count(*) AS rows FROM ${table}`).rows;
}

function readServiceKeys(database: DatabaseSync) {
  if (!hasTable(database, "service_keys")) return [];
  const select = "SELECT key_id AS keyId, wrapped FROM service_keys ORDER BY key_id";
  return prepareSelect<Pick<WrappedServiceKey, "keyId" | "wrapped">>(database, select).all();
}

function readLastStep(database: DatabaseSync): number {
  if (!hasTable(database, "migrations")) return 0;
  return selectOne<{ step: number }>(database, "SELECT coalesce(max(number), 0) AS step FROM migrations").step;
}

/**
 * A connection that changes nothing. A database without a log is whole by itself, and SQLite is told so: it would else make files
 * beside it, which it can't on a disk that is full or read-only.
 */
function openToRead(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout: 1000 });
}

/** The last migration that the database in that file took; 0 if there is none. Throws what SQLite throws. */
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
  const rows = prepareSelect<{ quick_check: string }>(database, `PRAGMA quick_check(${MAX_REPORTED})`).all();
  const lines = rows.map((row) => row.quick_check);
  return lines.length === 1 && lines[0] === "ok" ? undefined : lines.join("\n").replaceAll(/\n+/g, "; ");
}

function lookInto(database: DatabaseSync, isThorough: boolean): DatabaseFinding {
  const rows = (["accounts", "generations", "service_keys"] as const).map((table) => countRows(database, table));
  const detail = isThorough ? findDamage(database) : undefined;
  if (detail !== undefined) return { kind: "damaged", detail };
  if (rows.every((count) => count === 0)) return { kind: "empty" };
  const move = readMove(database);
  return { kind: "installation", step: readLastStep(database), serviceKeys: readServiceKeys(database), move };
}

/**
 * Looks without changing anything. `isThorough` reads every page, which takes 1 ms a MB, 2 from a cold disk; else only damage that
 * shows at once is found.
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
 * Ends every session and every link in a database that is to be restored: whether they were ended, or used, since it was copied is not
 * known there, and each is a way in.
 */
export function endWaysIn(file: string): void {
  const database = new DatabaseSync(file);
  try {
    for (const table of ["sessions", "links"]) if (hasTable(database, table)) database.exec(`DELETE FROM ${table}`);
  } finally {
    database.close();
  }
}

/**
 * Has a database that is to be restored begin at this time where a server knew a later one, under a clock that was ahead: no start would go
 * behind that, what is issued would count as swept, and a secret key that was replaced then would be good until a day after.
 */
export function beginAt(file: string, nowMs: number): void {
  const database = new DatabaseSync(file);
  try {
    for (const { table, column } of NEWEST_TIMES) {
      const has = database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, column);
      if (has === undefined) continue;
      database.prepare(`UPDATE ${table} SET ${column} = ?1 WHERE ${column} > ?1`).run(nowMs);
    }
  } finally {
    database.close();
  }
}

/** For how long a command that is about to end is waited for. */
const END_WAIT_MS = 1000;

/**
 * Holds a database that is to be put aside, with what its log held in it, so that nobody else works on it; the answer lets go.
 * SQLite finds a log by its name: whoever still had the old database open would, at their end, remove that of the new one. A database
 * that is missing, empty or damaged is not held. Throws SQLITE_BUSY where another process has it open.
 */
export function holdAlone(file: string): () => void {
  // SQLite removes the log of an empty file, and writes that of a damaged one into it: both go as they are.
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isEmpty || !["installation", "unreadable"].includes(inspectDatabase(file, false).kind)) return () => {};
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

/** In one step: between two steps a server may write, and SQLite then begins the copy anew, each time. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Writes a whole, consistent copy of the database, whatever a server does meanwhile, into one file that needs no other. The
 * copy begins no run of its own: whatever starts on it retires the keys (decision 0018), and may serve where the database was moved.
 */
export async function copyDatabase(file: string, to: string): Promise<void> {
  // With its locks, since a server may begin to write while this goes on.
  const source = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    if (hasTable(copy, "generations")) copy.exec("UPDATE generations SET is_stopped = 0, boot_id = NULL");
    clearMove(copy);
  } finally {
    copy.close();
  }
}
