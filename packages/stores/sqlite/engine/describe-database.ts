import type { DatabaseSync } from "node:sqlite";
import type { Durability, StoreDescription } from "@stile/core/ports/store";
import { selectOne } from "./select.ts";

/**
 * Durability by the number that `PRAGMA synchronous` returns in WAL mode: OFF, NORMAL, FULL, EXTRA.
 */
const DURABILITY_IN_WAL: readonly Durability[] = ["best-effort", "crash-safe", "strict", "strict"];
const SYNCHRONOUS_NAMES = ["OFF", "NORMAL", "FULL", "EXTRA"];

/**
 * The durability that the connection really has. Any journal but a write-ahead log counts as
 * `best-effort`.
 */
export function describeDatabase(database: DatabaseSync): StoreDescription {
  const { version } = selectOne<{ version: string }>(
    database,
    "SELECT sqlite_version() AS version",
  );
  const { mode } = selectOne<{ mode: string }>(
    database,
    "SELECT journal_mode AS mode FROM pragma_journal_mode",
  );
  const { level } = selectOne<{ level: number }>(
    database,
    "SELECT synchronous AS level FROM pragma_synchronous",
  );
  return {
    engine: `SQLite ${version}`,
    durability: mode === "wal" ? (DURABILITY_IN_WAL[level] ?? "best-effort") : "best-effort",
    detail: `journal_mode=${mode}, synchronous=${SYNCHRONOUS_NAMES[level] ?? level}`,
    findings: [],
  };
}
