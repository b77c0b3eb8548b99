import { RATE_LIMITS } from "@stile/protocol/limits";
import type { Account } from "../../../domain/account/account.ts";
import type { ChallengeBinding } from "../../../domain/challenge/challenge.ts";
import type { LimitState } from "../../../domain/rate-window.ts";
import { EARNING_WINDOW_MS } from "../../../domain/token/earning-window.ts";
import type { Visitor } from "../../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { clientScope } from "../../visitor/client-scope.ts";
import { providerOf } from "../../visitor/network-evidence.ts";
import { networkName } from "../../visitor/visitor-digests.ts";
import { tokensPerHourOf } from "../terms/challenge-budget.ts";
import { drawShare } from "../terms/draw-share.ts";

type Ports = Pick<ServicePorts, "cryptography" | "settings" | "localLimiter" | "challengeTallies" | "tokenUsage">;

/** The visitor that a delay is drawn for. */
export type DelayDraw = {
  readonly siteKey: string;
  readonly owner: Account;
  readonly visitor: Visitor;
  /** The binding that the delay will get. */
  readonly binding: ChallengeBinding;
  readonly nowMs: number;
};

/**
 * Counts one delay: first for its network, so that no network takes more of the site's common budget than that (D18).
 * All addresses of a network share one count, since whoever has one of them may have them all.
 */
export function drawDelay(ports: Ports, draw: DelayDraw): LimitState {
  const { cryptography, localLimiter } = ports;
  const { siteKey, binding, nowMs } = draw;
  const { address } = draw.visitor;
  const network = networkName(binding) ?? clientScope(cryptography, address);
  const earnings = checkEarnings(ports, draw, network);
  if (earnings !== undefined) return earnings;
  const scope = `delay-network:${network}`;
  const own = localLimiter.consume({ scope, perMinute: RATE_LIMITS.delay.perMinute, nowMs });
  if (!own.isAdmitted) return own;
  const provider = providerOf(cryptography, address);
  const { perMinute } = RATE_LIMITS.delayTotal;
  return drawShare(ports, { name: `delays ${siteKey}`, perMinute, provider, network, nowMs });
}

/**
 * Refuses a network that has earned as many tokens of the site as it may in an hour (D10); undefined for others.
 * Solvers then get harder work, but a wait can't get more expensive. The refusal ends with the quarter of an hour in
 * which earnings are counted.
 */
function checkEarnings({ tokenUsage, settings }: Ports, draw: DelayDraw, network: string): LimitState | undefined {
  const { siteKey, owner, nowMs } = draw;
  if (tokenUsage.earnedLately(siteKey, network, nowMs).tokens < tokensPerHourOf(owner, settings)) return undefined;
  const resetsInMs = EARNING_WINDOW_MS - (nowMs % EARNING_WINDOW_MS);
  return { isAdmitted: false, perMinute: RATE_LIMITS.delay.perMinute, remaining: 0, resetsInMs };
}
