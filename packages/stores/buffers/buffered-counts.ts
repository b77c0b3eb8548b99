import { minuteOf } from "@stile/core/domain/rate-window";
import type { SiteCount, SiteSum } from "@stile/core/domain/statistics/metrics";
import type { Statistics } from "@stile/core/ports/statistics/statistics";

/**
 * The most sums (site, minute, metric) kept at a time. If a store is down for long, further ones
 * are lost.
 */
const MAX_HELD_SUMS = 20_000;

type BufferedSum = { readonly entry: SiteCount; count: number };

/**
 * Writes a batch of sums, all or none. A failed batch is passed again, unchanged and with its
 * number, before others.
 */
export type AddBatch = (batch: readonly SiteSum[], number: number) => Promise<void>;

/**
 * Counts that are not part of another write. They are buffered until `flush` passes them to `add`
 * as one batch. A failed batch is kept separately and sent again with its number. So an engine
 * recognises a batch that it wrote without being able to say so.
 */
export function createBufferedCounts(add: AddBatch): Pick<Statistics, "count" | "flush"> {
  let buffered = new Map<string, BufferedSum>();
  let sent: readonly SiteSum[] = [];
  let number = 0;
  let lastFlush = Promise.resolve();

  const write = async (): Promise<void> => {
    if (sent.length > 0) await add(sent, number);
    sent = [...buffered.values()].map(({ entry, count }) => ({ ...entry, count }));
    buffered = new Map();
    if (sent.length === 0) return;
    number += 1;
    await add(sent, number);
    sent = [];
  };
  return {
    count: (entry) => {
      const key = `${entry.siteKey} ${minuteOf(entry.atMs)} ${entry.metric}`;
      const sum = buffered.get(key);
      if (sum !== undefined) sum.count += 1;
      else if (buffered.size + sent.length < MAX_HELD_SUMS) buffered.set(key, { entry, count: 1 });
    },
    // One flush at a time: a batch that is still running must not count as failed.
    flush: () => {
      lastFlush = lastFlush.then(write, write);
      return lastFlush;
    },
  };
}
