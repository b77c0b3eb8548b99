import type { Metric } from "../domain/metrics.ts";
import type { Site } from "../domain/site.ts";
import type { Sites } from "../ports/sites.ts";
import type { Statistics } from "../ports/statistics.ts";
import { sumByMetric } from "./steps/metric-sums.ts";

/** A site with its sums over the asked time (spec 1, List Sites). */
export type ListedSite = { readonly site: Site; readonly sums: ReadonlyMap<Metric, number> };

/** All sites of an account with their verification statistics of [fromMs, toMs) (spec 1, List Sites). */
export async function listSites(
  ports: { readonly sites: Sites; readonly statistics: Statistics },
  accountId: string,
  span: { fromMs: number; toMs: number },
): Promise<readonly ListedSite[]> {
  const sites = await ports.sites.listSites(accountId);
  return await Promise.all(
    sites.map(async (site) => ({
      site,
      sums: sumByMetric(await ports.statistics.read(site.siteKey, span.fromMs, span.toMs)),
    })),
  );
}
