import type { WavesData } from "@stile/protocol/dashboard-waves";
import { earningsExponent, freeEarnings } from "../../domain/challenge/difficulty.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Earned } from "../../domain/token/earning-window.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { tokensPerHourOf } from "../challenge/terms/challenge-budget.ts";
import { findOwner } from "../site/find-owner.ts";
import { findOwnSite, type OwnSite } from "../site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "settings" | "sites" | "tokenUsage" | "waveMemory">;

/** How much one network may earn of the site, and how many networks earn so much that their work is harder now. */
async function viewEarnings(ports: Ports, site: Site, nowMs: number): Promise<WavesData["earnings"]> {
  const tokensPerHour = tokensPerHourOf(await findOwner(ports.sites, site), ports.settings);
  const dearerFrom = Math.max(1, Math.ceil(freeEarnings(tokensPerHour)));
  const isDearer = (earned: Earned): boolean => earningsExponent(earned, tokensPerHour) > 0;
  return { tokensPerHour, dearerFrom, networks: ports.tokenUsage.countEarners(site.siteKey, isDearer, nowMs) };
}

/**
 * The site's waves of the last 24 hours, and what networks earn of it, as far as this node knows. Undefined if the
 * account has no such site.
 */
export async function viewWaves(ports: Ports, reference: OwnSite): Promise<WavesData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const nowMs = ports.clock.nowMs();
  const earnings = await viewEarnings(ports, site, nowMs);
  return { nowMs, ...ports.waveMemory.list(site.siteKey, nowMs), earnings };
}
