import { RATE_LIMITS } from "@stile/protocol/limits";
import { budgetWithin, type DrawRules, decideDraw } from "../../../domain/challenge/fair-share.ts";
import type { LimitState } from "../../../domain/rate-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

type Ports = Pick<ServicePorts, "localLimiter" | "challengeTallies">;

/** For whom a delay is drawn; networks are names in the counters. */
export type DelayDraw = {
  readonly siteKey: string;
  /** IPv6 /32; undefined for IPv4. */
  readonly provider: string | undefined;
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string;
  readonly nowMs: number;
};

/** Of a site: a little more than half of its delays for whoever comes first, the others for networks that asked for less than their share. */
const RULES: DrawRules = {
  total: budgetWithin(RATE_LIMITS.delayTotal.perMinute),
  network: RATE_LIMITS.delay.perMinute,
  overLimit: "refuse",
  leastShare: 1,
};

/**
 * Counts one delay: the network's own first, so that no network uses up more of what the site has for all than that. Whoever shares a
 * network shares its part, since whom it lends its addresses to is not to be told from outside.
 */
export function drawDelay({ localLimiter, challengeTallies }: Ports, draw: DelayDraw): LimitState {
  const { siteKey, provider, network, nowMs } = draw;
  const { perMinute } = RATE_LIMITS.delay;
  const own = localLimiter.consume({ scope: `delay-network:${network}`, perMinute, nowMs });
  if (!own.isAdmitted) return own;
  // Beside the counts of the account's challenges, which are others.
  const names = { accountId: `delays of ${siteKey}`, siteKey: `delays ${siteKey}`, provider, network, inner: [] };
  const path = challengeTallies.find(names, nowMs);
  const drawn = decideDraw(path, RULES, { isKnown: false, nowMs });
  challengeTallies.count(path, drawn);
  return { ...drawn.limit, isAdmitted: drawn.isAdmitted };
}
