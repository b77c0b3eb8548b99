import type { DatabaseSync } from "node:sqlite";
import { minuteOf } from "@stile/core/domain/rate-window";
import type { Housekeeping } from "@stile/core/ports/housekeeping";
import { retryWhileBusy } from "./engine/busy.ts";
import type { Writer } from "./engine/group-commit.ts";
import { prepareSelect } from "./engine/select.ts";
import { SWEEP_STEP_ROWS } from "./engine/spent-sweep.ts";
import type { SqliteTransaction } from "./engine/transaction.ts";

/**
 * Repeats a step, each in its own turn of the event loop, until one removes fewer rows than it may.
 * Returns the sum.
 */
export async function inSteps(
  writer: Writer,
  step: (transaction: SqliteTransaction) => number,
): Promise<number> {
  let sum = 0;
  for (;;) {
    const removed = await writer.write(step);
    sum += removed;
    if (removed < SWEEP_STEP_ROWS) return sum;
  }
}

/** Removes old rows in SQLite, in steps that each block the event loop for a few milliseconds. */
export function createSqliteHousekeeping(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): Housekeeping {
  const removeRates = database.prepare(
    `DELETE FROM rate_counts WHERE (minute, scope) IN
      (SELECT minute, scope FROM rate_counts WHERE minute < ? LIMIT ${SWEEP_STEP_ROWS})`,
  );
  const markSeen = database.prepare("UPDATE generations SET seen_ms = max(seen_ms, ?)");
  const selectSeen = prepareSelect<{ readonly seenMs: number }>(
    database,
    "SELECT seen_ms AS seenMs FROM generations",
  );
  return {
    newestMs: () => retryWhileBusy(() => selectSeen.get()?.seenMs ?? 0, now),
    sweep: async (nowMs) => {
      await inSteps(writer, () => Number(removeRates.run(minuteOf(nowMs) - 2).changes));
      await writer.write(() => void markSeen.run(nowMs));
      const tokens = await inSteps(writer, (transaction) =>
        transaction.sweepSpent("tokens", nowMs),
      );
      const challenges = await inSteps(writer, (transaction) =>
        transaction.sweepSpent("challenges", nowMs),
      );
      // A copy of the main file is then never older than the last sweep, and the log stays small.
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      return tokens + challenges;
    },
  };
}
