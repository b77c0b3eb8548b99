import { minuteOf } from "@stile/core/domain/rate-window";
import type { Housekeeping } from "@stile/core/ports/housekeeping";
import type { DatabaseConnections } from "./engine/database.ts";
import { dropPartitions, MARK_TABLES, makePartitionsAhead } from "./engine/partitions.ts";
import { putBackRows } from "./own-tables.ts";

/**
 * The most rows that one statement removes, so that others wait for its locks only a few
 * milliseconds.
 */
const STEP_ROWS = 1_000;

/**
 * Repeats a DELETE until a step removes fewer rows than it may. Returns how many were removed.
 * `sql` has the form `DELETE FROM t WHERE ...`, with `$1` for the most rows of one step.
 */
export async function deleteInSteps(
  jobs: DatabaseConnections,
  sql: string,
  values: readonly unknown[],
): Promise<number> {
  let sum = 0;
  for (;;) {
    const { count } = await jobs.write(sql, [STEP_ROWS, ...values]);
    sum += count;
    if (count < STEP_ROWS) return sum;
  }
}

/**
 * Removes expired rows; marks are removed by whole partitions. All nodes remove the same rows,
 * whichever node is first.
 */
export function createPostgresHousekeeping(jobs: DatabaseConnections): Housekeeping {
  const removeRates = `DELETE FROM rate_counts WHERE (scope, minute) IN
    (SELECT scope, minute FROM rate_counts WHERE minute < $2 LIMIT $1 FOR UPDATE SKIP LOCKED)`;
  return {
    newestMs: async () => {
      const { rows } = await jobs.read<{ seenMs: number }>(
        'SELECT seen_ms AS "seenMs" FROM generations',
      );
      return rows[0]?.seenMs ?? 0;
    },
    sweep: async (nowMs) => {
      await putBackRows(jobs);
      await deleteInSteps(jobs, removeRates, [minuteOf(nowMs) - 2]);
      await jobs.write(
        "DELETE FROM node_entries WHERE at < clock_timestamp() - interval '1 minute'",
      );
      await jobs.write("UPDATE generations SET seen_ms = greatest(seen_ms, $1)", [nowMs]);
      let swept = 0;
      for (const table of MARK_TABLES) {
        await makePartitionsAhead(jobs, table, nowMs);
        const { rows } = await jobs.write<{ swept: number }>("SELECT sweep_1($1, $2) AS swept", [
          table,
          nowMs,
        ]);
        swept += rows[0]?.swept ?? 0;
        await dropPartitions(jobs, table, nowMs);
      }
      return swept;
    },
  };
}
