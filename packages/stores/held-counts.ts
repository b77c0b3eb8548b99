import { minuteOf } from "@stile/core/domain/rate-window";
import type { SiteCount } from "@stile/core/domain/statistics/metrics";
import type { Statistics } from "@stile/core/ports/statistics/statistics";

/** Sums held back at most (site, minute, metric); while a store is down for long, further ones are lost. */
const MAX_HELD_SUMS = 20_000;

type HeldSum = { readonly entry: SiteCount; count: number };

/** Counts that no write follows, held back until `flush` hands them to `add` at once; it keeps them if that fails. */
export function createHeldCounts(add: Statistics["add"]): Pick<Statistics, "count" | "flush"> {
  let held = new Map<string, HeldSum>();
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
        await add(written.map(({ entry, count }) => ({ ...entry, count })));
      } catch (error) {
        for (const { entry, count } of written) hold(entry, count);
        throw error;
      }
    },
  };
}
