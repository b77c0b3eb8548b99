import type { OutcomeData, OutcomePoint, Resolution } from "@stile/protocol/dashboard-statistics";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import { isTimeZone, localDayStarts, startOfLocalDay } from "../domain/local-days.ts";
import { splitMetric } from "../domain/metrics.ts";
import { blockRateOf, isNeverVerified, passRateOf, sumOutcome } from "../domain/outcome.ts";
import { ASKED_MS, PERIOD_MS, type Span } from "../domain/periods.ts";
import { toSolveTimes } from "../domain/solve-times.ts";
import type { TimedCount } from "../ports/statistics.ts";
import { findOwnSite, type OwnSite } from "./steps/site-ports.ts";
import { clampSpan, readSumsByKind, type StatisticsPorts, toNamedCounts } from "./steps/statistics-reading.ts";

/** What is asked for; times in epoch ms. The answer covers whole periods, as far as they are kept. */
export type OutcomeQuery = Span & {
  readonly resolution: Resolution;
  /** Cuts days; an unknown zone counts as UTC. */
  readonly timeZone: string;
};

/** Points by which counts are read and summed up: their starts, and the end of the last. */
type Course = Span & {
  readonly starts: readonly number[];
  /** The periods that the points are made of. */
  readonly read: Resolution;
};

function evenCourse(resolution: Resolution, span: Span): Course {
  const count = (span.toMs - span.fromMs) / PERIOD_MS[resolution];
  const starts = Array.from({ length: count }, (_, index) => span.fromMs + index * PERIOD_MS[resolution]);
  return { ...span, starts, read: resolution };
}

/**
 * Where the points lie. Days of a time zone are made of hours, as long as hours are kept (90 days; see `localDayStarts` for
 * zones that are off by less than an hour); days of a longer time, and those of UTC, are days of UTC.
 */
function toCourse({ resolution, timeZone, ...asked }: OutcomeQuery, nowMs: number): Course {
  const span = clampSpan(resolution, asked, nowMs);
  const isLocal = resolution === "day" && timeZone !== "UTC" && isTimeZone(timeZone);
  const firstMs = Math.max(asked.fromMs, span.fromMs);
  if (!isLocal || span.fromMs === span.toMs || firstMs < nowMs - ASKED_MS.hour) return evenCourse(resolution, span);
  const fromMs = startOfLocalDay(firstMs, timeZone);
  const starts = [...localDayStarts(fromMs, Math.min(asked.toMs, nowMs + 1), timeZone)];
  const toMs = starts.pop() ?? fromMs;
  return { fromMs, toMs, starts, read: "hour" };
}

function toPoints({ starts }: Course, series: readonly TimedCount[]): readonly OutcomePoint[] {
  let at = 0;
  return starts.map((startMs, index) => {
    const endMs = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const firstAt = at;
    while ((series[at]?.startMs ?? Number.POSITIVE_INFINITY) < endMs) at++;
    return { startMs, ...sumOutcome(series.slice(firstAt, at)) };
  });
}

function sumRefusals(series: readonly TimedCount[]): Partial<Record<ReasonCode, number>> {
  const sums: Partial<Record<ReasonCode, number>> = {};
  for (const { metric, count } of series) {
    const { kind, name } = splitMetric(metric);
    if (kind === "refused") sums[name as ReasonCode] = (sums[name as ReasonCode] ?? 0) + count;
  }
  return sums;
}

/** The funnel of a site and its course (spec 1, View Statistics); undefined if the account has no such site. */
export async function viewOutcome(
  ports: StatisticsPorts,
  reference: OwnSite,
  query: OutcomeQuery,
): Promise<OutcomeData | undefined> {
  const site = await findOwnSite(ports, reference, false);
  if (site === undefined) return undefined;
  const { siteKey } = site;
  const course = toCourse(query, ports.clock.nowMs());
  const { fromMs, toMs, read } = course;
  const kinds = ["outcome", "refused"] as const;
  const series = await ports.statistics.readSeries({ siteKey, resolution: read, kinds, fromMs, toMs });
  const seen = { siteKey, kinds: ["solve", "device", "country", "host"], finest: read } as const;
  const sums = await readSumsByKind(ports.statistics, seen, { fromMs, toMs });
  const outcome = sumOutcome(series);
  return {
    fromMs,
    toMs,
    resolution: query.resolution,
    points: toPoints(course, series),
    sums: outcome,
    refusedByReason: sumRefusals(series),
    scoreRequests: series.reduce((sum, { metric, count }) => sum + (metric === "score_requested" ? count : 0), 0),
    passRate: passRateOf(outcome),
    blockRate: blockRateOf(outcome),
    isNeverVerified: isNeverVerified(outcome),
    solveTimes: toSolveTimes(sums.get("solve") ?? new Map()),
    devices: toNamedCounts(sums.get("device")),
    countries: toNamedCounts(sums.get("country")),
    hosts: toNamedCounts(sums.get("host")),
  };
}
