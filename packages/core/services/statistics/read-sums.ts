import type { NamedCount, OutcomePoint } from "@stile/protocol/dashboard-statistics";
import { type MetricKind, splitMetric } from "../../domain/statistics/metrics.ts";
import {
  hasStoppedVerifying,
  isVerifying,
  type Outcome,
  sumOutcome,
} from "../../domain/statistics/outcome.ts";
import { PERIOD_MS, splitSpan } from "../../domain/statistics/periods.ts";
import { coverPeriods, type Window } from "../../domain/statistics/windows.ts";
import type { Statistics, TimedCount } from "../../ports/statistics/statistics.ts";

/** How many refused hosts are listed: enough for an owner to find their own among them. */
export const MAX_REFUSED_HOSTS = 10;

/** Counts by name, for each kind that has any. */
export type SumsByKind = ReadonlyMap<MetricKind, ReadonlyMap<string, number>>;

/** Sums up a window, from whole days where possible: all resolutions have the same counts. */
export async function readSumsByKind(
  statistics: Statistics,
  { siteKey, kinds }: { readonly siteKey: string; readonly kinds: readonly MetricKind[] },
  { read, fromMs, toMs }: Window,
): Promise<SumsByKind> {
  const sums = new Map<MetricKind, Map<string, number>>();
  for (const part of splitSpan(read, { fromMs, toMs })) {
    for (const { metric, count } of await statistics.readSums({ siteKey, kinds, ...part })) {
      const { kind, name } = splitMetric(metric);
      const names = sums.get(kind) ?? new Map<string, number>();
      sums.set(kind, names.set(name, (names.get(name) ?? 0) + count));
    }
  }
  return sums;
}

/** How far back to look for a redemption before saying that a site verifies nothing, in ms. */
const LATELY_MS = 7 * PERIOD_MS.day;

/** The outcome of each period of a window, the oldest first. */
export function toPoints(
  { starts }: Pick<Window, "starts">,
  series: readonly TimedCount[],
): readonly OutcomePoint[] {
  let at = 0;
  return starts.map((startMs, index) => {
    const endMs = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const firstAt = at;
    while ((series[at]?.startMs ?? Number.POSITIVE_INFINITY) < endMs) at++;
    return { startMs, ...sumOutcome(series.slice(firstAt, at)) };
  });
}

/**
 * Whether the customer's server redeems none of the tokens in this outcome and redeemed none in the
 * days before, or none any more, going by its hours or days.
 */
export async function isVerifyingNothing(
  statistics: Statistics,
  siteKey: string,
  { outcome, periods }: { readonly outcome: Outcome; readonly periods: readonly OutcomePoint[] },
  nowMs: number,
): Promise<boolean> {
  if (hasStoppedVerifying(periods)) return true;
  const verifies = isVerifying(outcome);
  if (verifies !== "unsure") return verifies === "no";
  const { fromMs, toMs } = coverPeriods(
    "day",
    { fromMs: nowMs - LATELY_MS, toMs: nowMs + 1 },
    nowMs,
  );
  const sums = await statistics.readSums({
    siteKey,
    resolution: "day",
    kinds: ["outcome"],
    fromMs,
    toMs,
  });
  return !sums.some(({ metric }) => metric === "token_redeemed");
}

/** Counts by name, the most frequent first. */
export function toNamedCounts(
  counts: ReadonlyMap<string, number> = new Map(),
): readonly NamedCount[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
