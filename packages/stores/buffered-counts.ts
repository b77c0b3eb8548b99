import { minuteOf } from "@stile/core/domain/rate-window";
import type { SiteCount } from "@stile/core/domain/statistics/metrics";
import type { Statistics } from "@stile/core/ports/statistics/statistics";

/** Sums buffered at most (site, minute, metric); while a store is down for long, further ones are lost. */
const MAX_BUFFERED_SUMS = 20_000;

type BufferedSum = { readonly entry: SiteCount; count: number };

/** Counts that no write follows, buffered until `flush` hands them to `add` at once; it keeps them if that fails. */
export function createBufferedCounts(add: Statistics["add"]): Pick<Statistics, "count" | "flush"> {
  let buffered = new Map<string, BufferedSum>();
  const buffer = (entry: SiteCount, count: number): void => {
    const key = `${entry.siteKey} ${minuteOf(entry.atMs)} ${entry.metric}`;
    const sum = buffered.get(key);
    if (sum !== undefined) sum.count += count;
    else if (buffered.size < MAX_BUFFERED_SUMS) buffered.set(key, { entry, count });
  };
  return {
    count: (entry) => buffer(entry, 1),
    flush: async () => {
      if (buffered.size === 0) return;
      const written = [...buffered.values()];
      buffered = new Map();
      try {
        await add(written.map(({ entry, count }) => ({ ...entry, count })));
      } catch (error) {
        for (const { entry, count } of written) buffer(entry, count);
        throw error;
      }
    },
  };
}
