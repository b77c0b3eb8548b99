import type { DatabaseSync } from "node:sqlite";
import { prepareSelect } from "./select.ts";

/** The most rows removed in one step, which then blocks the event loop for a few milliseconds. */
export const SWEEP_STEP_ROWS = 250;

/** Removes a table's expired records, and remembers how far it got. */
export type SpentSweep = {
  /**
   * The greatest `keep_until_ms` ever swept; -1 before the first sweep. A record with this value or
   * a smaller one may be gone.
   */
  readonly sweptUntilMs: () => number;
  /**
   * Call it within a transaction. Removes at most SWEEP_STEP_ROWS records whose `keep_until_ms` has
   * come, and returns how many.
   */
  readonly sweepStep: (nowMs: number) => number;
};

/**
 * Sweeps one table of records. The removal also stores how far it got. Example: the clock jumps
 * ahead a day, everything is swept, and the clock comes back. Spent ids still count as used,
 * because their `keep_until_ms` is below the stored value (D3, single use).
 */
export function createSpentSweep(
  database: DatabaseSync,
  table: "token_marks" | "challenge_marks",
): SpentSweep {
  const selectHorizon = prepareSelect<{ readonly untilMs: number }>(
    database,
    "SELECT swept_until_ms AS untilMs FROM sweep_horizons WHERE mark_table = ?",
  );
  const remove = prepareSelect<{ readonly untilMs: number }>(
    database,
    `DELETE FROM ${table} WHERE (keep_until_ms, id) IN (SELECT keep_until_ms, id FROM ${table}
      WHERE keep_until_ms <= ? ORDER BY keep_until_ms, id LIMIT ${SWEEP_STEP_ROWS}) RETURNING keep_until_ms AS untilMs`,
  );
  const raiseHorizon = database.prepare(
    `INSERT INTO sweep_horizons (mark_table, swept_until_ms) VALUES (?, ?) ON CONFLICT (mark_table)
      DO UPDATE SET swept_until_ms = max(swept_until_ms, excluded.swept_until_ms)`,
  );
  return {
    sweptUntilMs: () => selectHorizon.get(table)?.untilMs ?? -1,
    sweepStep: (nowMs) => {
      const removed = remove.all(nowMs);
      if (removed.length > 0)
        raiseHorizon.run(table, Math.max(...removed.map(({ untilMs }) => untilMs)));
      return removed.length;
    },
  };
}
