import type { SolveTimesData } from "@stile/protocol/dashboard-statistics";
import { SOLVE_BUCKETS_MS } from "./metrics.ts";

/** The time below which that share of all solutions lies, in whole ms; null if there are none. */
function quantile(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const wanted = share * all;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    const fromMs = SOLVE_BUCKETS_MS[bucket - 1] ?? 0;
    const toMs = SOLVE_BUCKETS_MS[bucket];
    // The last bucket has no end to reckon with: at least its start is true.
    if (toMs === undefined) return fromMs;
    if (count > 0 && before + count >= wanted)
      return Math.round(fromMs + ((toMs - fromMs) * (wanted - before)) / count);
    before += count;
  }
  return null;
}

/**
 * Distribution and quantiles of the times from issue to submission, from the counts of `solve:<bucket>` by bucket. Within a
 * bucket times are taken to be spread evenly.
 */
export function toSolveTimes(byBucket: ReadonlyMap<string, number>): SolveTimesData {
  const counts = Array.from({ length: SOLVE_BUCKETS_MS.length + 1 }, (_, bucket) => byBucket.get(String(bucket)) ?? 0);
  return {
    p50Ms: quantile(counts, 0.5),
    p95Ms: quantile(counts, 0.95),
    buckets: counts.map((count, bucket) => ({ belowMs: SOLVE_BUCKETS_MS[bucket] ?? null, count })),
  };
}
