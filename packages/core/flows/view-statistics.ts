import type { Metric, MinuteCount } from "../domain/metrics.ts";
import type { Statistics } from "../ports/statistics.ts";
import { sumByMetric } from "./steps/metric-sums.ts";
import { findOwnSite, type SitePorts, type SiteReference } from "./steps/site-ports.ts";

/** Verification metrics of one site (spec 1, View Statistics). */
export type SiteStatistics = {
  readonly minutes: readonly MinuteCount[];
  readonly sums: ReadonlyMap<Metric, number>;
  /** Tokens redeemed of all redemption attempts that reached the site, 0..1; undefined before the first. */
  readonly passRate: number | undefined;
  /** Issued tokens by score in hundredths: 101 numbers. */
  readonly scores: readonly number[];
};

/** Metrics, pass rate and score distribution of a site over [fromMs, toMs); undefined if the account has no such site. */
export async function viewStatistics(
  ports: SitePorts & { readonly statistics: Statistics },
  reference: SiteReference,
  span: { fromMs: number; toMs: number },
): Promise<SiteStatistics | undefined> {
  const site = await findOwnSite(ports, reference, false);
  if (site === undefined) return undefined;
  const minutes = await ports.statistics.read(site.siteKey, span.fromMs, span.toMs);
  const sums = sumByMetric(minutes);
  const sumOf = (prefix: string): number =>
    [...sums].reduce((sum, [metric, count]) => (metric.startsWith(prefix) ? sum + count : sum), 0);
  const redeemed = sumOf("token_redeemed");
  const attempts = redeemed + sumOf("refused:");
  const scores = Array.from(
    { length: 101 },
    (_, hundredths) => sums.get(`score:${String(hundredths).padStart(2, "0")}`) ?? 0,
  );
  return { minutes, sums, passRate: attempts === 0 ? undefined : redeemed / attempts, scores };
}
