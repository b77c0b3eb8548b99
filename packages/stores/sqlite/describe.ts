import type { DatabaseSync } from "node:sqlite";
import type { Durability, StoreDescription } from "@stile/core/ports/store";

/** Durability by the number that `PRAGMA synchronous` answers in WAL: OFF, NORMAL, FULL, EXTRA. */
const DURABILITY_IN_WAL: readonly Durability[] = ["best-effort", "crash-safe", "strict", "strict"];
const SYNCHRONOUS_NAMES = ["OFF", "NORMAL", "FULL", "EXTRA"];

/** What the connection is really set to; anything but a write-ahead log counts as `best-effort`. */
export function describeDatabase(database: DatabaseSync): StoreDescription {
  const { version } = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  const { mode } = database.prepare("SELECT journal_mode AS mode FROM pragma_journal_mode").get() as { mode: string };
  const { level } = database.prepare("SELECT synchronous AS level FROM pragma_synchronous").get() as { level: number };
  return {
    engine: `SQLite ${version}`,
    durability: mode === "wal" ? (DURABILITY_IN_WAL[level] ?? "best-effort") : "best-effort",
    detail: `journal_mode=${mode}, synchronous=${SYNCHRONOUS_NAMES[level] ?? level}`,
  };
}
