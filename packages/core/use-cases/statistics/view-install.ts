import type { InstallData } from "@stile/protocol/dashboard-statistics";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import { type Metric, splitMetric } from "../../domain/statistics/metrics.ts";
import { PERIOD_MS } from "../../domain/statistics/periods.ts";
import { coverPeriods } from "../../domain/statistics/windows.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { TimedCount } from "../../ports/statistics/statistics.ts";
import { findOwnSite, type OwnSite } from "../../services/site/own-site.ts";
import { MAX_REFUSED_HOSTS } from "../../services/statistics/read-sums.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "statistics" | "decisions">;

const STEPS = {
  challenge: (metric: Metric): boolean => metric === "challenge_issued",
  token: (metric: Metric): boolean => metric === "token_issued",
  verified: (metric: Metric): boolean => metric === "token_redeemed",
  refusal: (metric: Metric): boolean => splitMetric(metric).kind === "refused",
};

function findLast(
  series: readonly TimedCount[],
  isWanted: (metric: Metric) => boolean,
): TimedCount | undefined {
  return series.findLast(({ metric }) => isWanted(metric));
}

/**
 * When each step of the integration was last seen within 48 hours, to the minute; undefined if the
 * account has no such site. It looks for the hour first, because the page that shows this asks
 * every few seconds.
 */
export async function viewInstall(
  ports: Ports,
  reference: OwnSite,
): Promise<InstallData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const { siteKey } = site;
  const nowMs = ports.clock.nowMs();
  const kinds = ["outcome", "refused"] as const;
  const lastTwoDays = coverPeriods("minute", { fromMs: 0, toMs: nowMs + 1 }, nowMs);
  const { fromMs: hourFromMs } = coverPeriods("hour", lastTwoDays, nowMs);
  const hours = {
    siteKey,
    resolution: "hour",
    kinds,
    fromMs: hourFromMs,
    toMs: lastTwoDays.toMs,
  } as const;
  const byHour = await ports.statistics.readSeries(hours);
  const find = async (isWanted: (metric: Metric) => boolean): Promise<TimedCount | undefined> => {
    const hour = findLast(byHour, isWanted);
    if (hour === undefined) return undefined;
    const fromMs = Math.max(hour.startMs, lastTwoDays.fromMs);
    const minutes = {
      siteKey,
      resolution: "minute",
      kinds,
      fromMs,
      toMs: hour.startMs + PERIOD_MS.hour,
    } as const;
    return findLast(await ports.statistics.readSeries(minutes), isWanted);
  };
  const [challenge, token, verified, refusal] = await Promise.all([
    find(STEPS.challenge),
    find(STEPS.token),
    find(STEPS.verified),
    find(STEPS.refusal),
  ]);
  const hostsAsked = {
    siteKey,
    fromMs: lastTwoDays.fromMs,
    toMs: lastTwoDays.toMs,
    limit: MAX_REFUSED_HOSTS,
  };
  return {
    refusedHosts: await ports.decisions.listRefusedHosts(hostsAsked),
    lastChallengeAtMs: challenge?.startMs ?? null,
    lastTokenAtMs: token?.startMs ?? null,
    lastVerifiedAtMs: verified?.startMs ?? null,
    lastRefusal: refusal
      ? { atMs: refusal.startMs, reasonCode: splitMetric(refusal.metric).name as ReasonCode }
      : null,
    nowMs,
  };
}
