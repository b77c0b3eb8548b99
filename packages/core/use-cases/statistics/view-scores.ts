import type { ScoresData } from "@stile/protocol/dashboard-statistics";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { mayAsk } from "../../domain/challenge/challenge.ts";
import { scoreText } from "../../domain/statistics/metrics.ts";
import { type Range, toWindow } from "../../domain/statistics/windows.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type OwnSite } from "../../services/site/own-site.ts";
import { readSumsByKind, toNamedCounts } from "../../services/statistics/read-sums.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "statistics">;

/** Counts by score in hundredths: 101 counts. */
type Histogram = readonly number[];

function toHistogram(byScore: ReadonlyMap<string, number>): Histogram {
  return Array.from(
    { length: 101 },
    (_, hundredths) => byScore.get(scoreText(hundredths / 100)) ?? 0,
  );
}

/** Counts of names that end with `:<NN>`: by what is before it, then by score. */
function splitByFirst(
  scores: ReadonlyMap<string, number>,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const firsts = new Map<string, Map<string, number>>();
  for (const [name, count] of scores) {
    const colon = name.lastIndexOf(":");
    const first = name.slice(0, colon);
    firsts.set(
      first,
      (firsts.get(first) ?? new Map<string, number>()).set(name.slice(colon + 1), count),
    );
  }
  return firsts;
}

function sumOf(histogram: Histogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

/**
 * How a site's visitors were scored in the window of a range, with the most frequent actions and
 * flags first. Undefined if the account has no such site.
 */
export async function viewScores(
  ports: Ports,
  reference: OwnSite,
  { range, timeZone }: { readonly range: Range; readonly timeZone: string },
): Promise<ScoresData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const window = toWindow(range, timeZone, ports.clock.nowMs());
  const kinds = ["score", "verified_score", "vendor", "flag"] as const;
  const sums = await readSumsByKind(ports.statistics, { siteKey: site.siteKey, kinds }, window);
  const byAction = [...splitByFirst(sums.get("score") ?? new Map())]
    .map(([action, byScore]) => ({ action, scored: toHistogram(byScore) }))
    .sort((a, b) => sumOf(b.scored) - sumOf(a.scored));
  const byVerdict = splitByFirst(sums.get("vendor") ?? new Map());
  return {
    fromMs: window.fromMs,
    toMs: window.toMs,
    thresholds: site.thresholds,
    scored: Array.from({ length: 101 }, (_, score) =>
      byAction.reduce((sum, { scored }) => sum + (scored[score] ?? 0), 0),
    ),
    verified: toHistogram(sums.get("verified_score") ?? new Map()),
    byVendorVerdict: {
      pass: toHistogram(byVerdict.get("pass") ?? new Map()),
      fail: toHistogram(byVerdict.get("fail") ?? new Map()),
    },
    mayAsk: mayAsk(site.mode),
    byAction,
    flags: toNamedCounts(sums.get("flag")).map(({ name, count }) => ({
      flag: name as RiskFlag,
      count,
    })),
  };
}
