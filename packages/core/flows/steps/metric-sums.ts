import type { Metric, MinuteCount } from "../../domain/metrics.ts";

/** Totals of each metric over all minutes given. */
export function sumByMetric(counts: readonly MinuteCount[]): ReadonlyMap<Metric, number> {
  const sums = new Map<Metric, number>();
  for (const { metric, count } of counts) sums.set(metric, (sums.get(metric) ?? 0) + count);
  return sums;
}
