import type { Metric } from "@stile/core/domain/statistics/metrics";
import type { TimedCount } from "@stile/core/ports/statistics/statistics";

function compareMetrics(a: Metric, b: Metric): number {
  return a < b ? -1 : Number(a > b);
}

/** The order of a series: by time, then by name. */
export function inSeriesOrder(a: TimedCount, b: TimedCount): number {
  return a.startMs - b.startMs || compareMetrics(a.metric, b.metric);
}

/**
 * Adds up the counts of each point. `series` is in order and starts at the first point or later; so
 * is the result.
 */
export function sumByPoint(
  series: readonly TimedCount[],
  starts: readonly number[],
): readonly TimedCount[] {
  const points: TimedCount[] = [];
  let at = 0;
  for (const [index, startMs] of starts.entries()) {
    const endMs = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const sums = new Map<Metric, number>();
    for (let row = series[at]; row !== undefined && row.startMs < endMs; row = series[++at]) {
      sums.set(row.metric, (sums.get(row.metric) ?? 0) + row.count);
    }
    const names = [...sums].sort(([a], [b]) => compareMetrics(a, b));
    points.push(...names.map(([metric, count]) => ({ startMs, metric, count })));
  }
  return points;
}
