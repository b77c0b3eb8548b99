import type { WavesData } from "@stile/protocol/dashboard-waves";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { freeTokensOf } from "../../services/challenge/terms/challenge-budget.ts";
import { findOwner } from "../../services/site/find-owner.ts";
import { findOwnSite, type OwnSite } from "../../services/site/own-site.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "settings" | "sites" | "tokenUsage" | "usualEarnings" | "waveMemory"
>;

/**
 * The tokens that one network may earn of the site, and the number of networks whose work is now
 * harder because of their earnings.
 */
async function viewEarnings(
  ports: Ports,
  site: Site,
  nowMs: number,
): Promise<WavesData["earnings"]> {
  const { siteKey } = site;
  const free = Math.floor(
    freeTokensOf(ports, { account: await findOwner(ports.sites, site), siteKey, nowMs }),
  );
  return {
    free,
    networks: ports.tokenUsage.countEarners(siteKey, (earned) => earned > free, nowMs),
  };
}

/**
 * The site's waves of the last 24 hours, and the networks' earnings, as far as this node knows.
 * Undefined if the account has no such site.
 */
export async function viewWaves(ports: Ports, reference: OwnSite): Promise<WavesData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const nowMs = ports.clock.nowMs();
  const earnings = await viewEarnings(ports, site, nowMs);
  return { nowMs, ...ports.waveMemory.list(site.siteKey, nowMs), earnings };
}
