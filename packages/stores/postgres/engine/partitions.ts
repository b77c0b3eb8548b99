import type { DatabaseConnections } from "./database.ts";
import { isLockMissing } from "./store-faults.ts";

/** The partitioned tables, which hold the spent marks. */
export const MARK_TABLES = ["token_marks", "challenge_marks"] as const;
/** One of these tables. */
export type MarkTable = (typeof MARK_TABLES)[number];

/** The length of a partition in ms, the same as in `postgres-partition-functions.ts`. */
const PARTITION_MS = 900_000;
/** How far ahead partitions are created, ms: longer than any token or challenge lives. */
const AHEAD_MS = 3_600_000;

/** Creates the missing partitions for these moments. Rejects if somebody removed one. */
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
 * Removes partitions that are over and hold nothing that is still needed. A removal waits only
 * briefly for its lock, because redemptions wait behind it. The next sweep removes what was locked.
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
