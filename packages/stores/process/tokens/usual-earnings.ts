import { createBoundedMap } from "@stile/core/domain/bounded-map";
import { splitMetric } from "@stile/core/domain/statistics/metrics";
import { PERIOD_MS, startOfPeriod } from "@stile/core/domain/statistics/periods";
import { NOT_COUNTED, PAST_DAYS, stepOf, usualOf } from "@stile/core/domain/token/usual-earnings";
import type { UsualEarnings } from "@stile/core/ports/site/usual-earnings";
import type { Statistics, TimedCount } from "@stile/core/ports/statistics/statistics";

/** A site's usual earnings as read on `readDayMs`, and the counting state of `todayMs`. */
type Known = {
  usual: number | undefined;
  readDayMs: number | undefined;
  /** When the last read began: a failing store is read at most once a minute. */
  askedAtMs: number;
  todayMs: number;
  /** The next number of redemptions that is recorded today. */
  next: number;
};

const ASK_AGAIN_MS = 60_000;

/**
 * The busiest network of each day from `fromMs`. A day with redemptions but without a step was not
 * counted.
 */
function busiestOf(counts: readonly TimedCount[], fromMs: number): readonly number[] {
  const days = Array.from({ length: PAST_DAYS }, () => ({ hasRedeemed: false, busiest: 0 }));
  for (const { startMs, metric } of counts) {
    const day = days[(startMs - fromMs) / PERIOD_MS.day];
    const { kind, name } = splitMetric(metric);
    if (day !== undefined && metric === "token_redeemed") day.hasRedeemed = true;
    if (day !== undefined && kind === "busiest") day.busiest = Math.max(day.busiest, Number(name));
  }
  return days.map(({ hasRedeemed, busiest }) =>
    hasRedeemed && busiest === 0 ? NOT_COUNTED : busiest,
  );
}

/**
 * The past of at most `maxSites` sites, about 150 bytes each. It is read from the statistics once a
 * day.
 */
export function createUsualEarnings(
  statistics: Pick<Statistics, "count" | "readDays">,
  { maxSites }: { readonly maxSites: number },
): UsualEarnings {
  const sites = createBoundedMap<string, Known>(maxSites);

  const knownOf = (siteKey: string, todayMs: number): Known => {
    let known = sites.get(siteKey);
    if (known === undefined) {
      known = {
        usual: undefined,
        readDayMs: undefined,
        askedAtMs: Number.NEGATIVE_INFINITY,
        todayMs,
        next: 1,
      };
      sites.set(siteKey, known);
    }
    if (known.todayMs !== todayMs) Object.assign(known, { todayMs, next: 1 });
    return known;
  };

  const read = async (siteKey: string, known: Known, todayMs: number): Promise<void> => {
    const fromMs = todayMs - PAST_DAYS * PERIOD_MS.day;
    const counts = await statistics.readDays({
      siteKey,
      kinds: ["busiest", "outcome"],
      fromMs,
      toMs: todayMs,
    });
    known.usual = usualOf(busiestOf(counts, fromMs));
    known.readDayMs = todayMs;
  };

  return {
    of: (siteKey, nowMs) => {
      const todayMs = startOfPeriod("day", nowMs);
      const known = knownOf(siteKey, todayMs);
      if (known.readDayMs !== todayMs && Math.abs(nowMs - known.askedAtMs) >= ASK_AGAIN_MS) {
        known.askedAtMs = nowMs;
        // Until the store answers, yesterday's value applies.
        read(siteKey, known, todayMs).catch(() => {});
      }
      return known.usual;
    },
    record: (siteKey, redeemed, nowMs) => {
      const known = knownOf(siteKey, startOfPeriod("day", nowMs));
      if (redeemed < known.next) return;
      const { step, next } = stepOf(redeemed);
      known.next = next;
      statistics.count({ siteKey, metric: `busiest:${step}`, atMs: nowMs });
    },
  };
}
