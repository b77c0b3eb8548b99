import type { DatabaseSync } from "node:sqlite";
import type { MinuteCount, SiteCount } from "@stile/core/domain/metrics";
import { minuteOf } from "@stile/core/domain/rate-window";
import type { Statistics } from "@stile/core/ports/statistics";
import { retryWhileBusy } from "./busy.ts";
import { toPlainRow } from "./plain-row.ts";
import type { Writer } from "./writer.ts";

/** Sums held back at most (site, minute, metric); while a store is down for long, further ones are lost. */
export const MAX_HELD_SUMS = 20_000;

type HeldSum = { readonly entry: SiteCount; count: number };

/** Counts per site and minute in SQLite; `flush` writes them in one transaction, and keeps them if that fails. */
export function createStatistics(database: DatabaseSync, writer: Writer, now: () => number): Statistics {
  let held = new Map<string, HeldSum>();
  const select = database.prepare(
    `SELECT minute_start_ms AS minuteStartMs, metric, count FROM statistics
      WHERE site_key = ? AND minute_start_ms >= ? AND minute_start_ms < ? ORDER BY minute_start_ms, metric`,
  );

  const hold = (entry: SiteCount, count: number): void => {
    const key = `${entry.siteKey} ${minuteOf(entry.atMs)} ${entry.metric}`;
    const sum = held.get(key);
    if (sum !== undefined) sum.count += count;
    else if (held.size < MAX_HELD_SUMS) held.set(key, { entry, count });
  };

  return {
    count: (entry) => hold(entry, 1),
    flush: async () => {
      if (held.size === 0) return;
      const written = [...held.values()];
      held = new Map();
      try {
        await writer.write((transaction) => {
          for (const { entry, count } of written) {
            transaction.addCount(entry.siteKey, entry.metric, entry.atMs, count);
          }
        });
      } catch (error) {
        for (const { entry, count } of written) hold(entry, count);
        throw error;
      }
    },
    read: (siteKey, fromMs, toMs) =>
      retryWhileBusy(() => select.all(siteKey, fromMs, toMs).map(toPlainRow<MinuteCount>), now),
  };
}
