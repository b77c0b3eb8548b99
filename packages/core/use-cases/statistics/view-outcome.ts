import type { DoorReason, OutcomeData } from "@stile/protocol/dashboard-statistics";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import { splitMetric } from "../../domain/statistics/metrics.ts";
import { blockRateOf, passRateOf, sumOutcome } from "../../domain/statistics/outcome.ts";
import { toSolveTimes } from "../../domain/statistics/solve-times.ts";
import { type Range, toWindow } from "../../domain/statistics/windows.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { TimedCount } from "../../ports/statistics/statistics.ts";
import { findOwnSite, type OwnSite } from "../../services/site/own-site.ts";
import {
  isVerifyingNothing,
  MAX_REFUSED_HOSTS,
  readSumsByKind,
  toNamedCounts,
  toPoints,
} from "../../services/statistics/read-sums.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "statistics" | "decisions">;

function sumRefusals(series: readonly TimedCount[]): Partial<Record<ReasonCode, number>> {
  const sums: Partial<Record<ReasonCode, number>> = {};
  for (const { metric, count } of series) {
    const { kind, name } = splitMetric(metric);
    if (kind === "refused") sums[name as ReasonCode] = (sums[name as ReasonCode] ?? 0) + count;
  }
  return sums;
}

function sumDoor(
  series: readonly TimedCount[],
  failed: number,
): Readonly<Record<DoorReason, number>> {
  const countOf = (reason: string): number =>
    series.reduce((sum, { metric, count }) => sum + (metric === `door:${reason}` ? count : 0), 0);
  return {
    domain_mismatch: countOf("domain_mismatch"),
    site_disabled: countOf("site_disabled"),
    rate_limited: countOf("rate_limited"),
    solution_rejected: failed,
  };
}

/**
 * The funnel of a site over the window of a range (spec 1); undefined if the account has no such
 * site.
 */
export async function viewOutcome(
  ports: Ports,
  reference: OwnSite,
  { range, timeZone }: { readonly range: Range; readonly timeZone: string },
): Promise<OutcomeData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const { siteKey } = site;
  const nowMs = ports.clock.nowMs();
  const window = toWindow(range, timeZone, nowMs);
  const { fromMs, toMs, starts } = window;
  const isLastOpen = toMs > nowMs;
  const counted = { siteKey, kinds: ["outcome", "refused", "door"] } as const;
  const series = await ports.statistics.readSeries({
    ...counted,
    resolution: window.read,
    fromMs,
    toMs,
    starts,
  });
  const seen = { siteKey, kinds: ["solve", "device", "country", "host"] } as const;
  const sums = await readSumsByKind(ports.statistics, seen, window);
  const outcome = sumOutcome(series);
  const points = toPoints(window, series);
  const periods = window.resolution === "minute" ? [] : points;
  return {
    fromMs,
    toMs,
    resolution: window.resolution,
    timeZone: window.timeZone,
    points,
    isLastOpen,
    sums: outcome,
    refusedByReason: sumRefusals(series),
    refusedAtDoor: sumDoor(series, outcome.failed),
    refusedHosts: await ports.decisions.listRefusedHosts({
      siteKey,
      fromMs,
      toMs,
      limit: MAX_REFUSED_HOSTS,
    }),
    scoreRequests: series.reduce(
      (sum, { metric, count }) => sum + (metric === "score_requested" ? count : 0),
      0,
    ),
    passRate: passRateOf(outcome),
    blockRate: blockRateOf(outcome),
    // A past time says nothing about the server's present state.
    isNeverVerified:
      isLastOpen &&
      (await isVerifyingNothing(ports.statistics, siteKey, { outcome, periods }, nowMs)),
    solveTimes: toSolveTimes(sums.get("solve") ?? new Map()),
    devices: toNamedCounts(sums.get("device")),
    countries: toNamedCounts(sums.get("country")),
    hosts: toNamedCounts(sums.get("host")),
  };
}
