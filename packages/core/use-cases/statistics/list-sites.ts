import type { ListedSiteData, SitesData } from "@stile/protocol/dashboard-api";
import { RESTORE_DAYS } from "@stile/protocol/limits";
import type { Site } from "../../domain/site/site.ts";
import { splitMetric } from "../../domain/statistics/metrics.ts";
import { blockRateOf, passRateOf, sumOutcome } from "../../domain/statistics/outcome.ts";
import { PERIOD_MS } from "../../domain/statistics/periods.ts";
import { toSolveTimes } from "../../domain/statistics/solve-times.ts";
import { toWindow } from "../../domain/statistics/windows.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { isVerifyingNothing, toPoints } from "../../services/statistics/read-sums.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "statistics" | "waveMemory">;

/** Sites to sum up before other work gets a turn: about 10 ms. */
const SLICE = 50;

async function listSite(
  { statistics, waveMemory }: Ports,
  site: Site,
  nowMs: number,
): Promise<ListedSiteData> {
  const { siteKey, name, domains, mode, isEnabled } = site;
  const { fromMs, toMs, starts, read } = toWindow("24h", "UTC", nowMs);
  const lastDay = { siteKey, resolution: read, fromMs, toMs };
  const series = await statistics.readSeries({ ...lastDay, kinds: ["outcome"] });
  const sums = await statistics.readSums({ ...lastDay, kinds: ["refused", "solve"] });
  const outcome = sumOutcome([...series, ...sums]);
  const periods = toPoints({ starts }, series);
  const bySolveTime = sums
    .map(({ metric, count }) => ({ ...splitMetric(metric), count }))
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
    sparkline: periods.map(({ solved }) => solved),
    isNeverVerified: await isVerifyingNothing(statistics, siteKey, { outcome, periods }, nowMs),
    hasWave: waveMemory.list(siteKey, nowMs).waves.some(({ isOver }) => !isOver),
  };
}

/**
 * All sites of an account: those in use with the figures of the last 24 hours (see `toWindow`), and
 * the deleted ones that can be restored (spec 1, List Sites; D12, states). `pause` gives other work
 * a turn.
 */
export async function listSites(
  ports: Ports,
  accountId: string,
  pause: () => Promise<void>,
): Promise<SitesData> {
  const nowMs = ports.clock.nowMs();
  const all = await ports.sites.listSites(accountId);
  const deleted = all.flatMap(({ siteKey, name, deletedAtMs }) =>
    deletedAtMs === null
      ? []
      : [{ siteKey, name, deletedAtMs, purgedAtMs: deletedAtMs + RESTORE_DAYS * PERIOD_MS.day }],
  );
  const living = all.filter(({ deletedAtMs }) => deletedAtMs === null);
  const sites: ListedSiteData[] = [];
  for (let at = 0; at < living.length; at += SLICE) {
    if (at > 0) await pause();
    sites.push(
      ...(await Promise.all(
        living.slice(at, at + SLICE).map((site) => listSite(ports, site, nowMs)),
      )),
    );
  }
  return { sites, deleted };
}
