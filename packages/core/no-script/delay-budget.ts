import { RATE_LIMITS } from "@stile/protocol/limits";
import type { LimitState } from "../domain/rate-window.ts";
import type { Site } from "../domain/site/site.ts";
import type { Visitor } from "../domain/visitor/visitor.ts";
import type { ServicePorts } from "../ports/service-ports.ts";
import { earningsOf, findPayer } from "../services/challenge/terms/challenge-budget.ts";
import { drawShare } from "../services/challenge/terms/draw-share.ts";
import { clientScope } from "../services/visitor/client-scope.ts";
import { networkOf, providerOf } from "../services/visitor/network-evidence.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "localLimiter"
  | "challengeTallies"
  | "tokenUsage"
  | "usualEarnings"
>;

/**
 * Counts one finished wait: first for its network, so that no network takes more of the site's
 * common budget than its limit (D18, no JavaScript). All addresses of a network share one count,
 * since a person with one of them may have them all. Solvers in a network over its free part get
 * harder work (D10, limits); a wait cannot get more expensive, so there are fewer of them.
 */
export async function drawDelay(
  ports: Ports,
  site: Site,
  { address, bindingAddress }: Visitor,
): Promise<LimitState> {
  const { cryptography, localLimiter } = ports;
  const { siteKey } = site;
  const account = await findPayer(ports, site);
  const nowMs = ports.clock.nowMs();
  const client = clientScope(cryptography, address);
  const network = networkOf(cryptography, bindingAddress, nowMs);
  const { earned, free } = earningsOf(ports, { account, siteKey, nowMs }, { network, client });
  const name = network ?? client;
  const { perMinute } = earned <= free ? RATE_LIMITS.delay : RATE_LIMITS.delayBusy;
  const own = localLimiter.consume({ scope: `delay-network:${name}`, perMinute, nowMs });
  if (!own.isAdmitted) return own;
  const provider = providerOf(cryptography, address);
  const total = RATE_LIMITS.delayTotal.perMinute;
  return drawShare(ports, {
    name: `delays ${siteKey}`,
    perMinute: total,
    provider,
    network: name,
    nowMs,
  });
}
