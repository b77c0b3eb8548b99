import type { DatabaseConnections } from "./database.ts";
import { isLockMissing } from "./store-faults.ts";

/** The partitioned tables, which hold what was spent. */
export const MARK_TABLES = ["token_marks", "challenge_marks"] as const;
/** One of these tables. */
export type MarkTable = (typeof MARK_TABLES)[number];

/** Length of a partition in ms, as `postgres-partition-functions.ts` makes them. */
const PARTITION_MS = 900_000;
/** How far ahead partitions are created: longer than any token or challenge lives. */
const AHEAD_MS = 3_600_000;

/**
 * Creates the partitions for these moments where they are missing; rejects if somebody removed one
 * (`0020`).
 */
export async function makePartitions(
  connections: Pick<DatabaseConnections, "write">,
  table: MarkTable,
  momentsMs: readonly number[],
): Promise<void> {
  for (const number of new Set(momentsMs.map((ms) => Math.floor(ms / PARTITION_MS)))) {
    await connections.write("SELECT make_partitions_1($1, $2, $2)", [table, number * PARTITION_MS]);
  }
}

/** Creates the partitions of the next hour, so that no request has to. */
export async function makePartitionsAhead(
  jobs: DatabaseConnections,
  table: MarkTable,
  nowMs: number,
): Promise<void> {
  await jobs.write("SELECT make_partitions_1($1, $2, $3)", [table, nowMs, nowMs + AHEAD_MS]);
}

/**
 * Removes partitions that are over and hold nothing that must still be remembered. A removal waits
 * only briefly for its lock, since redemptions wait behind it; what it could not lock is left to
 * the next sweep.
 */
export async function dropPartitions(
  jobs: DatabaseConnections,
  table: MarkTable,
  nowMs: number,
): Promise<void> {
  const ended = "SELECT name FROM partitions_1($1) WHERE end_ms <= $2 ORDER BY end_ms";
  const { rows } = await jobs.write<{ name: string }>(ended, [table, nowMs]);
  for (const { name } of rows) {
    try {
      await jobs.write("SELECT drop_partition_1($1, $2)", [table, name]);
    } catch (error) {
      if (!isLockMissing(error)) throw error;
    }
  }
}
