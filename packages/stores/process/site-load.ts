import { createBoundedMap } from "@stile/core/domain/bounded-map";
import { MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { SiteLoad } from "@stile/core/ports/site/site-load";

/**
 * Challenges in the current and the previous minute. `baseline` is the usual number per minute
 * before that.
 */
type Load = { minute: number; current: number; previous: number; baseline: number };

/** The weight of a finished minute in the baseline. It forgets within about 15 minutes. */
const WEIGHT = 0.1;
/**
 * A site with fewer challenges per minute than this never counts as busy, however suddenly they
 * arrive.
 */
const LEAST_BASELINE = 30;

/** Moves a load to the given minute. Each finished minute flows into the baseline. */
function advance(load: Load, minute: number): void {
  const passed = minute - load.minute;
  if (passed <= 0) return;
  load.baseline += (load.previous - load.baseline) * WEIGHT;
  if (passed > 1) {
    load.baseline += (load.current - load.baseline) * WEIGHT;
    load.baseline *= (1 - WEIGHT) ** (passed - 2);
  }
  load.previous = passed === 1 ? load.current : 0;
  load.current = 0;
  load.minute = minute;
}

/**
 * Loads of at most `maxSites` sites (about 200 bytes each). The site that was idle for longest is
 * evicted.
 */
export function createSiteLoad({ maxSites }: { readonly maxSites: number }): SiteLoad {
  const loads = createBoundedMap<string, Load>(maxSites);
  return {
    record: (siteKey, nowMs) => {
      const minute = minuteOf(nowMs);
      const load = loads.get(siteKey) ?? { minute, current: 0, previous: 0, baseline: 0 };
      advance(load, minute);
      load.current += 1;
      loads.set(siteKey, load);
    },
    ratio: (siteKey, nowMs) => {
      const load = loads.get(siteKey);
      if (load === undefined) return 0;
      advance(load, minuteOf(nowMs));
      const rate = load.current + load.previous * (1 - (nowMs % MINUTE_MS) / MINUTE_MS);
      return rate / Math.max(load.baseline, LEAST_BASELINE);
    },
  };
}
