import { minuteOf } from "@stile/core/domain/rate-window";
import type { SiteCount, SiteSum } from "@stile/core/domain/statistics/metrics";
import type { Statistics } from "@stile/core/ports/statistics/statistics";

/** Sums held at most (site, minute, metric); while a store is down for long, further ones are lost. */
const MAX_HELD_SUMS = 20_000;

type BufferedSum = { readonly entry: SiteCount; count: number };

/** Writes sums, all or none. A batch that failed comes again as it was, under its number, before any other. */
export type AddBatch = (batch: readonly SiteSum[], number: number) => Promise<void>;

/**
 * Counts that no write follows, buffered until `flush` hands them to `add` at once. What failed is kept by itself, so that an engine
 * which may have written it already, and could not say so, knows it again by its number.
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
    // One at a time: a batch that is under way must not be taken for one that failed.
    flush: () => {
      lastFlush = lastFlush.then(write, write);
      return lastFlush;
    },
  };
}
