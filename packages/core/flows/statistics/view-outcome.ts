import type { DoorReason, OutcomeData, OutcomePoint } from "@stile/protocol/dashboard-statistics";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import { splitMetric } from "../../domain/statistics/metrics.ts";
import { blockRateOf, passRateOf, sumOutcome } from "../../domain/statistics/outcome.ts";
import { toSolveTimes } from "../../domain/statistics/solve-times.ts";
import { type Range, toWindow, type Window } from "../../domain/statistics/windows.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { TimedCount } from "../../ports/statistics/statistics.ts";
import { findOwnSite, type OwnSite } from "../site/own-site.ts";
import { isNeverVerified, MAX_REFUSED_HOSTS, readSumsByKind, toNamedCounts } from "./read-sums.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "statistics" | "decisions">;

function toPoints({ starts }: Window, series: readonly TimedCount[]): readonly OutcomePoint[] {
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

function sumDoor(series: readonly TimedCount[], failed: number): Readonly<Record<DoorReason, number>> {
  const countOf = (reason: string): number =>
    series.reduce((sum, { metric, count }) => sum + (metric === `door:${reason}` ? count : 0), 0);
  return {
    domain_mismatch: countOf("domain_mismatch"),
    site_disabled: countOf("site_disabled"),
    rate_limited: countOf("rate_limited"),
    solution_rejected: failed,
  };
}

/** The funnel of a site over the window of a range (spec 1); undefined if the account has no such site. */
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
  const counted = { siteKey, kinds: ["outcome", "refused", "door"] } as const;
  const series = await ports.statistics.readSeries({ ...counted, resolution: window.read, fromMs, toMs, starts });
  const seen = { siteKey, kinds: ["solve", "device", "country", "host"] } as const;
  const sums = await readSumsByKind(ports.statistics, seen, window);
  const outcome = sumOutcome(series);
  return {
    fromMs,
    toMs,
    resolution: window.resolution,
    timeZone: window.timeZone,
    points: toPoints(window, series),
    sums: outcome,
    refusedByReason: sumRefusals(series),
    refusedAtDoor: sumDoor(series, outcome.failed),
    refusedHosts: await ports.decisions.listRefusedHosts({ siteKey, fromMs, toMs, limit: MAX_REFUSED_HOSTS }),
    scoreRequests: series.reduce((sum, { metric, count }) => sum + (metric === "score_requested" ? count : 0), 0),
    passRate: passRateOf(outcome),
    blockRate: blockRateOf(outcome),
    isNeverVerified: await isNeverVerified(ports.statistics, siteKey, outcome, nowMs),
    solveTimes: toSolveTimes(sums.get("solve") ?? new Map()),
    devices: toNamedCounts(sums.get("device")),
    countries: toNamedCounts(sums.get("country")),
    hosts: toNamedCounts(sums.get("host")),
  };
}
