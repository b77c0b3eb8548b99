import type { Metric, SiteCount } from "@stile/core/domain/statistics/metrics";
import { PERIOD_MS } from "@stile/core/domain/statistics/periods";
import type { Store } from "@stile/core/ports/store";
import type { Resolution } from "@stile/protocol/dashboard-statistics";
import { Violation } from "../world/violation.ts";

/** Metrics counted in the write that they belong to, and therefore exactly. */
const EXACT = new Set<string>([
  "challenge_solved",
  "challenge_stepped_up",
  "challenge_priced",
  "challenge_blocked",
  "token_issued",
  "token_redeemed",
  "refused:token_already_used",
]);
/**
 * Every metric of these kinds is exact, or buffered: buffered ones may be lost with a process, but
 * are never counted twice.
 */
const KINDS = ["outcome", "refused", "door"] as const;
/** How long counts are kept (contract of `Statistics`): 48 h, 90 days, 13 months. */
const KEPT_MS: Readonly<Record<Resolution, number>> = {
  minute: 2 * 86_400_000,
  hour: 90 * 86_400_000,
  day: 395 * 86_400_000,
};
const RESOLUTIONS: readonly Resolution[] = ["minute", "hour", "day"];

/** The counts that the statistics must contain, by site, metric and minute. */
export function createCounts() {
  let counts = new Map<string, number>();

  const expected = (siteKey: string, resolution: Resolution): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const [key, count] of counts) {
      const [site, metric, minuteMs] = key.split(" ");
      if (site !== siteKey) continue;
      const periodMs = PERIOD_MS[resolution];
      const period = `${metric} ${Math.floor(Number(minuteMs) / periodMs) * periodMs}`;
      sums.set(period, (sums.get(period) ?? 0) + count);
    }
    return sums;
  };

  const addOne = ({ siteKey, metric, atMs }: SiteCount): void => {
    const key = `${siteKey} ${metric} ${Math.floor(atMs / PERIOD_MS.minute) * PERIOD_MS.minute}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };

  return {
    add: (siteKey: string, metrics: readonly Metric[], atMs: number): void => {
      for (const metric of metrics) if (EXACT.has(metric)) addOne({ siteKey, metric, atMs });
    },
    /** Adds a count that a process buffers until it is written. */
    addHeld: addOne,
    /**
     * Checks the store's figures of a site against these; figures older than the retention before
     * `trustedMs` may be gone.
     */
    check: async (store: Store, siteKey: string, trustedMs: number): Promise<void> => {
      for (const resolution of RESOLUTIONS) {
        const query = { siteKey, resolution, kinds: KINDS, fromMs: 0, toMs: 2 ** 50 } as const;
        const found = new Map<string, number>();
        for (const { metric, startMs, count } of await store.statistics.readSeries(query)) {
          found.set(`${metric} ${startMs}`, count);
        }
        const wanted = expected(siteKey, resolution);
        for (const period of new Set([...found.keys(), ...wanted.keys()])) {
          const [have, want] = [found.get(period), wanted.get(period) ?? 0];
          const [metric = "", startMs] = period.split(" ");
          if (!EXACT.has(metric)) {
            if ((have ?? 0) <= want) continue;
            throw new Violation(
              "counted more often than it happened",
              `${resolution} ${period}: ${have} of ${want}`,
            );
          }
          const endMs = Number(startMs) + PERIOD_MS[resolution];
          if (have === want || (have === undefined && endMs <= trustedMs - KEPT_MS[resolution]))
            continue;
          throw new Violation(
            "statistics are not exact",
            `${resolution} ${period}: ${have} instead of ${want}`,
          );
        }
      }
    },
    copy: (): ReadonlyMap<string, number> => new Map(counts),
    putBack: (copy: ReadonlyMap<string, number>): void => {
      counts = new Map(copy);
    },
  };
}
