import type { LogEntry } from "@stile/core/domain/statistics/decision";
import type { DecisionLog } from "@stile/core/ports/statistics/decision-log";
import { createDecisionBuffer } from "./decision-buffer.ts";

/** Writes the entries in one transaction, without those of sites that no longer exist. */
export type InsertEntries = (entries: readonly LogEntry[]) => Promise<void>;

/**
 * Buffers entries until `flush` passes them to `insertMany` as one batch. Keeps them if that fails.
 */
export function createBufferedDecisions(
  insertMany: InsertEntries,
): Pick<DecisionLog, "append" | "flush"> {
  const buffer = createDecisionBuffer();
  return {
    append: buffer.append,
    flush: async () => {
      const taken = buffer.take();
      if (taken.length === 0) return;
      try {
        await insertMany(taken);
      } catch (error) {
        buffer.putBack(taken);
        throw error;
      }
    },
  };
}
