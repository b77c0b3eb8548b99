import type { NamedCount, Resolution } from "@stile/protocol/dashboard-statistics";
import { type MetricKind, splitMetric } from "../../domain/metrics.ts";
import { ASKED_MS, PERIOD_MS, type Span, splitSpan, startOfPeriod } from "../../domain/periods.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Sites } from "../../ports/sites.ts";
import type { Statistics } from "../../ports/statistics.ts";

/** What the views over statistics need. */
export type StatisticsPorts = { readonly clock: Clock; readonly sites: Sites; readonly statistics: Statistics };

/** Whole periods that cover what is asked for, cut to what can be asked for and to the present; empty if nothing is left. */
export function clampSpan(resolution: Resolution, asked: Span, nowMs: number): Span {
  const periodMs = PERIOD_MS[resolution];
  const latestMs = startOfPeriod(resolution, nowMs) + periodMs;
  const earliestMs = startOfPeriod(resolution, nowMs - ASKED_MS[resolution]);
  const toMs = Math.min(startOfPeriod(resolution, asked.toMs + periodMs - 1), latestMs);
  const fromMs = Math.min(Math.max(startOfPeriod(resolution, asked.fromMs), earliestMs), latestMs);
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

/** The finest resolution that still holds everything from that moment on. */
export function finestKept(fromMs: number, nowMs: number): Resolution {
  if (fromMs >= nowMs - ASKED_MS.minute) return "minute";
  return fromMs >= nowMs - ASKED_MS.hour ? "hour" : "day";
}

/** Counts by name, for each kind that has any. */
export type SumsByKind = ReadonlyMap<MetricKind, ReadonlyMap<string, number>>;

/** Sums a span up, reading whole days where it can: all resolutions hold the same counts. */
export async function readSumsByKind(
  statistics: Statistics,
  asked: { readonly siteKey: string; readonly kinds: readonly MetricKind[]; readonly finest: Resolution },
  span: Span,
): Promise<SumsByKind> {
  const { siteKey, kinds, finest } = asked;
  const sums = new Map<MetricKind, Map<string, number>>();
  for (const part of splitSpan(finest, span)) {
    for (const { metric, count } of await statistics.readSums({ siteKey, kinds, ...part })) {
      const { kind, name } = splitMetric(metric);
      const names = sums.get(kind) ?? new Map<string, number>();
      sums.set(kind, names.set(name, (names.get(name) ?? 0) + count));
    }
  }
  return sums;
}

/** Counts by name, the most frequent first. */
export function toNamedCounts(counts: ReadonlyMap<string, number> = new Map()): readonly NamedCount[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
