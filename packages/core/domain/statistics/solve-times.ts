import type { SolveTimesData } from "@stile/protocol/dashboard-statistics";
import type { Observations } from "../visitor/visitor.ts";
import { SOLVE_BUCKETS_MS } from "./metrics.ts";

/** The time in whole ms below which this share of all solutions lies; null if there are none. */
function quantile(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const wanted = share * all;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    const fromMs = SOLVE_BUCKETS_MS[bucket - 1] ?? 0;
    const toMs = SOLVE_BUCKETS_MS[bucket];
    // The last bucket has no upper bound to interpolate with, so return its start.
    if (toMs === undefined) return fromMs;
    if (count > 0 && before + count >= wanted)
      return Math.round(fromMs + ((toMs - fromMs) * (wanted - before)) / count);
    before += count;
  }
  return null;
}

/**
 * How long the solver worked, in ms: the page's figure, but at most the time from issue to
 * submission, which also replaces a missing figure. The widget submits later than it finishes, so
 * that time is longer than the solver's.
 */
export function solveMsOf(behaviour: Observations["behaviour"], elapsedMs: number): number {
  const saidMs = behaviour === "withheld" ? null : behaviour.solveMs;
  return Math.min(Math.round(saidMs ?? elapsedMs), elapsedMs);
}

/**
 * Distribution and quantiles of solve times from the counts of `solve:<bucket>`, keyed by bucket.
 * It assumes that times are spread evenly within a bucket.
 */
export function toSolveTimes(byBucket: ReadonlyMap<string, number>): SolveTimesData {
  const counts = Array.from(
    { length: SOLVE_BUCKETS_MS.length + 1 },
    (_, bucket) => byBucket.get(String(bucket)) ?? 0,
  );
  return {
    p50Ms: quantile(counts, 0.5),
    p95Ms: quantile(counts, 0.95),
    buckets: counts.map((count, bucket) => ({ belowMs: SOLVE_BUCKETS_MS[bucket] ?? null, count })),
  };
}
