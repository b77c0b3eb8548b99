import type { ListedSiteData, SitesData } from "@stile/protocol/dashboard-api";
import { RESTORE_DAYS } from "@stile/protocol/limits";
import { type Metric, splitMetric } from "../domain/metrics.ts";
import { blockRateOf, isNeverVerified, passRateOf, sumOutcome } from "../domain/outcome.ts";
import { PERIOD_MS, startOfPeriod } from "../domain/periods.ts";
import type { Site } from "../domain/site.ts";
import { toSolveTimes } from "../domain/solve-times.ts";
import type { StatisticsPorts } from "./steps/statistics-reading.ts";

const HOURS = 24;

async function listSite({ statistics }: StatisticsPorts, site: Site, nowMs: number): Promise<ListedSiteData> {
  const { siteKey, name, domains, mode, isEnabled } = site;
  const toMs = startOfPeriod("hour", nowMs) + PERIOD_MS.hour;
  const fromMs = toMs - HOURS * PERIOD_MS.hour;
  const lastDay = { siteKey, resolution: "hour", fromMs, toMs } as const;
  const series = await statistics.readSeries({ ...lastDay, kinds: ["outcome"] });
  const sums = await statistics.readSums({ ...lastDay, kinds: ["refused", "solve"] });
  const outcome = sumOutcome([...series, ...sums]);
  const solvedIn = new Map<number, number>();
  for (const { startMs, metric, count } of series) if (metric === "challenge_solved") solvedIn.set(startMs, count);
  const bySolveTime = sums
    .map(({ metric, count }: { metric: Metric; count: number }) => ({ ...splitMetric(metric), count }))
    .filter(({ kind }) => kind === "solve")
    .map(({ name: bucket, count }) => [bucket, count] as const);
  const { p50Ms, p95Ms } = toSolveTimes(new Map(bySolveTime));
  return {
    siteKey,
    name,
    domains,
    mode,
    isEnabled,
    lastFour: site.secretKeys.find(({ replacedAtMs }) => replacedAtMs === null)?.lastFour ?? "",
    issued: outcome.issued,
    solved: outcome.solved,
    tokens: outcome.tokens,
    verified: outcome.verified,
    passRate: passRateOf(outcome),
    blockRate: blockRateOf(outcome),
    solveP50Ms: p50Ms,
    solveP95Ms: p95Ms,
    sparkline: Array.from({ length: HOURS }, (_, hour) => solvedIn.get(fromMs + hour * PERIOD_MS.hour) ?? 0),
    isNeverVerified: isNeverVerified(outcome),
  };
}

/**
 * All sites of an account, the living ones with the figures of the last 24 hours (this hour and the 23 before it), and the
 * deleted ones that can be restored (spec 1, List Sites; D12).
 */
export async function listSites(ports: StatisticsPorts, accountId: string): Promise<SitesData> {
  const nowMs = ports.clock.nowMs();
  const all = await ports.sites.listSites(accountId);
  const deleted = all.flatMap(({ siteKey, name, deletedAtMs }) =>
    deletedAtMs === null
      ? []
      : [{ siteKey, name, deletedAtMs, purgedAtMs: deletedAtMs + RESTORE_DAYS * PERIOD_MS.day }],
  );
  const living = all.filter(({ deletedAtMs }) => deletedAtMs === null);
  return { sites: await Promise.all(living.map((site) => listSite(ports, site, nowMs))), deleted };
}
