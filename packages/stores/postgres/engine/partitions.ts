import type { Connections } from "./database.ts";
import { isLockMissing } from "./store-faults.ts";

/** Tables of what was spent, which are made of partitions. */
export const MARK_TABLES = ["token_marks", "challenge_marks"] as const;
/** One of those. */
export type MarkTable = (typeof MARK_TABLES)[number];

/** Length of a partition in ms, as `0006-partitions.ts` makes them. */
const PARTITION_MS = 900_000;
/** Made ahead by this: more than any token or challenge lives. */
const AHEAD_MS = 3_600_000;

/** Makes the partitions that take these moments, where they are missing. */
export async function makePartitions(
  connections: Pick<Connections, "write">,
  table: MarkTable,
  momentsMs: readonly number[],
): Promise<void> {
  for (const number of new Set(momentsMs.map((ms) => Math.floor(ms / PARTITION_MS)))) {
    await connections.write("SELECT make_partitions_1($1, $2, $2)", [table, number * PARTITION_MS]);
  }
}

/** Makes those of the next hour, so that no request has to. */
export async function makePartitionsAhead(jobs: Connections, table: MarkTable, nowMs: number): Promise<void> {
  await jobs.write("SELECT make_partitions_1($1, $2, $3)", [table, nowMs, nowMs + AHEAD_MS]);
}

/**
 * Removes the partitions that are over and hold nothing which is remembered. A removal waits for the lock a moment only, since
 * redemptions wait behind it; what it did not get then, it gets with the next sweep.
 */
export async function dropPartitions(jobs: Connections, table: MarkTable, nowMs: number): Promise<void> {
  const ended = "SELECT name FROM partitions_1($1) WHERE end_ms <= $2 ORDER BY end_ms";
  const { rows } = await jobs.write<{ name: string }>(ended, [table, nowMs]);
  for (const { name } of rows) {
    try {
      await jobs.write("SELECT drop_partition_2($1, $2)", [table, name]);
    } catch (error) {
      if (!isLockMissing(error)) throw error;
    }
  }
}
