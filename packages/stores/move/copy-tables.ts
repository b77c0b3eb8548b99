import type { DatabaseSync } from "node:sqlite";
import type { Query } from "../postgres/engine/database.ts";
import { MARK_TABLES } from "../postgres/engine/partitions.ts";
import { selectOne } from "../sqlite/engine/select.ts";
import { type Copying, copyDifference, copyTable } from "./copy-rows.ts";

/**
 * Tables that may be large and that no other table refers to. They can be copied while the service
 * writes to them.
 */
const LARGE_TABLES = [
  "audit_entries",
  ...MARK_TABLES,
  "statistics",
  "score_blocks",
  "decisions",
] as const;

/** Every table that is moved; a table comes before those that refer to it. */
export const MOVED_TABLES = [
  "accounts",
  "sites",
  "secret_keys",
  "members",
  "passkeys",
  "sessions",
  "links",
  "service_keys",
  "sweep_horizons",
  "rate_counts",
  "key_usage",
  ...LARGE_TABLES,
] as const;

/** A table's number of rows, which is the same on both sides; otherwise the move fails. */
export type TableCount = { readonly table: string; readonly rows: number };

/** Throws unless the table has as many rows on both sides. */
async function compareCounts(
  source: DatabaseSync,
  query: Query,
  table: string,
): Promise<TableCount> {
  const { rows: here } = selectOne<{ rows: number }>(
    source,
    `SELECT count(*) AS rows FROM main.${table}`,
  );
  // PostgreSQL has both horizons from the start, SQLite only after its first sweep.
  const known = table === "sweep_horizons" ? " WHERE swept_until_ms >= 0" : "";
  const { rows: counted } = await query<{ there: number }>(
    `SELECT count(*) AS there FROM ${table}${known}`,
  );
  const there = counted[0]?.there ?? 0;
  if (here !== there)
    throw new Error(`the table ${table} has ${here} rows in SQLite and ${there} in PostgreSQL`);
  return { table, rows: here };
}

/**
 * Copies the large tables from the snapshot, within the transaction of `query`. `copyTables` copies
 * the rest.
 */
export async function copyAhead(copying: Copying): Promise<void> {
  for (const table of LARGE_TABLES) await copyTable(copying, table, "snapshot");
}

/**
 * Copies all tables within the transaction of `query`, and compares their numbers of rows. If
 * `isAhead`, it copies only the difference to the snapshot for the large tables. No other process
 * may write to SQLite meanwhile. Throws if anything differs.
 */
export async function copyTables(
  copying: Copying,
  isAhead: boolean,
): Promise<readonly TableCount[]> {
  const { source, query } = copying;
  const ahead: readonly string[] = isAhead ? LARGE_TABLES : [];
  for (const table of MOVED_TABLES) {
    if (ahead.includes(table)) await copyDifference(copying, table);
    else await copyTable(copying, table, "main");
  }
  // New entries get numbers after those that were moved.
  await query(
    "SELECT setval(pg_get_serial_sequence('audit_entries', 'entry_id'), greatest(max(entry_id), 1), max(entry_id) IS NOT NULL) FROM audit_entries",
  );
  const counts: TableCount[] = [];
  for (const table of MOVED_TABLES) counts.push(await compareCounts(source, query, table));
  return counts;
}
