import { METRIC_KINDS, type Metric } from "@stile/core/domain/statistics/metrics";
import type { Store } from "@stile/core/ports/store";
import { RESOLUTIONS, type Resolution } from "@stile/protocol/dashboard-statistics";

/** All counts in the rows of one resolution, by period and metric. */
export async function readRows(
  store: Store,
  siteKey: string,
  resolution: Resolution,
): Promise<Record<string, number>> {
  const whole = {
    siteKey,
    resolution,
    kinds: METRIC_KINDS,
    fromMs: 0,
    toMs: Number.MAX_SAFE_INTEGER,
  };
  const series = await store.statistics.readSeries(whole);
  return Object.fromEntries(
    series.map(({ startMs, metric, count }) => [`${startMs} ${metric}`, count]),
  );
}

/** Totals by metric in each resolution: minutes, hours, days. */
export async function readTotals(
  store: Store,
  siteKey: string,
): Promise<readonly Record<string, number>[]> {
  const totals = RESOLUTIONS.map(async (resolution) => {
    const whole = {
      siteKey,
      resolution,
      kinds: METRIC_KINDS,
      fromMs: 0,
      toMs: Number.MAX_SAFE_INTEGER,
    };
    const sums = await store.statistics.readSums(whole);
    return Object.fromEntries(sums.map(({ metric, count }) => [metric, count] as const).sort());
  });
  return await Promise.all(totals);
}

/** Counts each of `metrics` once at that moment, in the given order. */
export async function countAt(
  store: Store,
  siteKey: string,
  atMs: number,
  metrics: readonly Metric[],
): Promise<void> {
  for (const metric of metrics) await store.statistics.add([{ siteKey, metric, atMs, count: 1 }]);
}
