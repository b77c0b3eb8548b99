import type { SolveTimesData } from "@stile/protocol/dashboard-statistics";
import type { Observations } from "../visitor/visitor.ts";
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
 * How long the solver worked, in ms: as the page says, yet no longer than passed from issue to submission, and that where it
 * says nothing. The widget hands its work in later than it is done, so what passed is not the solver's time.
 */
export function solveMsOf(behaviour: Observations["behaviour"], elapsedMs: number): number {
  const saidMs = behaviour === "withheld" ? null : behaviour.solveMs;
  return Math.min(Math.round(saidMs ?? elapsedMs), elapsedMs);
}

/**
 * Distribution and quantiles of the solve times, from the counts of `solve:<bucket>` by bucket. Within a
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
