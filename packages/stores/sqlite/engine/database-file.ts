import { existsSync, realpathSync, statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { WrappedServiceKey } from "@stile/core/ports/service-keys";
import { clearMove, type Move, readMove } from "../../move/move-mark.ts";
import { NEWEST_TIMES } from "../../rows/newest-times.ts";
import { isBusy } from "./busy.ts";
import { prepareSelect, selectOne } from "./select.ts";

/**
 * What a database's file holds. `missing`: there is none; `empty`: no installation in it, as in a
 * file whose write-ahead log was left behind; `damaged`: not a database, or one with torn pages;
 * `unreadable`: the system or another process prevents reading. `step` is the last migration it
 * took.
 */
export type DatabaseFinding =
  | { readonly kind: "missing" | "empty" }
  | { readonly kind: "damaged" | "unreadable"; readonly detail: string }
  | {
      readonly kind: "installation";
      readonly step: number;
      readonly serviceKeys: readonly Pick<WrappedServiceKey, "keyId" | "wrapped">[];
      /**
       * The greatest id that a service key was ever made with; 0 or undefined if that is not known.
       */
      readonly newestKeyId?: number;
      /** Where the installation was moved, or is being moved to. */
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
 * A connection that changes nothing. A database without a log is complete by itself, and SQLite is
 * told so: otherwise it would create files beside it, which fails on a full or read-only disk.
 */
function openToRead(file: string): DatabaseSync {
  // SQLite keeps the log beside the file itself, whatever links lead there.
  const path = realpathSync(file);
  const url = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout: 1000 });
}

/**
 * The last migration that the database in that file took; 0 if there is no file. Throws what SQLite
 * throws.
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
  if (step === 0) return { kind: "damaged", detail: "its table migrations was emptied" };
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
 * 2 ms from a cold disk; otherwise only damage that shows at once is found.
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
 * Ends every session and every link in a database that is to be restored: it does not know which of
 * them were ended or used since it was copied, and each is a way to sign in.
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
 * Resets times of a backup that are later than now, as a server under a clock that was ahead left
 * them. Otherwise starts would follow the later time, new tokens would count as swept, and a secret
 * key replaced then would work until a day after.
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

/** For how long a command that is about to end is waited for. */
const END_WAIT_MS = 1000;

/**
 * Locks a database that is about to be replaced, with its log folded into it, so that nobody else
 * works on it; the returned function unlocks it. SQLite finds a log by its name: anyone who still
 * had the old database open would, on closing it, remove the new one's log. A database that is
 * missing, empty or damaged is not locked. Throws SQLITE_BUSY if another process has it open.
 */
export function holdAlone(file: string): () => void {
  // SQLite removes the log of an empty file, and writes that of a damaged one into it: both stay as
  // they are.
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
 * Copy all pages in one step: if a server writes between two steps, SQLite starts the copy over,
 * each time.
 */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Writes a complete, consistent copy of the database, whatever a server does meanwhile, into one
 * self-contained file. The copy carries no run of its own: whatever starts on it retires the keys
 * (decision 0010, retired keys), and may serve even if the database was moved.
 */
export async function copyDatabase(file: string, to: string): Promise<void> {
  // Opened with its locks, since a server may begin to write meanwhile.
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
