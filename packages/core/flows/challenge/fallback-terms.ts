import type { Challenge } from "@stile/pow/challenge";
import { FALLBACK_WATCHED_MS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { isWatchedLongEnough } from "@stile/risk/witness";
import type { Account } from "../../domain/account/account.ts";
import {
  type ChallengeStage,
  type FallbackWish,
  hasFallback,
  type Workload,
} from "../../domain/challenge/challenge.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { drawShare } from "../visitor/draw-share.ts";

type Ports = Pick<ServicePorts, "settings" | "localLimiter" | "challengeTallies">;

/** Who wishes for less work. */
export type FallbackRequest = {
  readonly wish: FallbackWish;
  readonly stage: ChallengeStage;
  /** Whether the client or its network asks for more challenges than people do. */
  readonly isBusy: boolean;
  /** Name of the client's network in the counters, else of the client. */
  readonly network: string;
  /** The name of its IPv6 /32; undefined for IPv4. */
  readonly provider: string | undefined;
  readonly siteKey: string;
  readonly account: Account;
  readonly nowMs: number;
};

/** Challenges with less work a minute that one network may draw; over any quota, everybody works fully (proof of work). */
const PER_NETWORK = 12;
/** Shares of what one network may draw that may have less work in all: far more than browsers without WebAssembly ask for. */
const SITE_SHARE = 1 / 4;
const ACCOUNT_SHARE = 1 / 2;
/** No share is smaller than this, so that one network alone never takes it all. */
const LEAST_SHARE = 2 * PER_NETWORK;

/** Solutions with less work a minute of one network that nothing is held against. */
const EXCUSED_PER_NETWORK = 3;

/**
 * How a solution stands with less work: "none" was asked for; "hurried" is what came sooner than a browser without WebAssembly can be
 * done, by the service's clock, so that programs wait or pay; of what took its time, the first few of a network are "excused".
 */
export type FallbackStanding = "none" | "hurried" | "patient" | "excused";

/** Judges that, and counts who is excused, in each network that had a part in it. */
export function standFallback(
  { localLimiter }: Pick<Ports, "localLimiter">,
  request: { readonly challenge: Challenge; readonly networks: readonly string[]; readonly nowMs: number },
): FallbackStanding {
  const { challenge, networks, nowMs } = request;
  if (!challenge.isFallback) return "none";
  if (!isWatchedLongEnough({ elapsedMs: nowMs - challenge.issuedAtMs }, FALLBACK_WATCHED_MS)) return "hurried";
  const isExcusedIn = (network: string): boolean =>
    localLimiter.consume({ scope: `fallback-excused:${network}`, perMinute: EXCUSED_PER_NETWORK, nowMs }).isAdmitted;
  return networks.every(isExcusedIn) ? "excused" : "patient";
}

/** What may have led to a step-up that costs no second round, since a click alone is missing (D9): who hurries has not done the work. */
export function forgivenFlags(standing: FallbackStanding): readonly RiskFlag[] {
  return standing === "hurried" ? ["low_evidence"] : ["low_evidence", "pow_fallback"];
}

/**
 * Draws from the quotas of network, site and account, so that many networks together gain no more than one share (D8), and few of them
 * do not use it up for the others.
 */
function isWithinQuotas(ports: Ports, request: FallbackRequest): boolean {
  const { network, provider, siteKey, account, nowMs } = request;
  const challenges = account.challengePerMinute ?? ports.settings.limits.challenge;
  const shareOf = (share: number): number => Math.max(LEAST_SHARE, Math.floor(share * challenges));
  const own = ports.localLimiter.consume({ scope: `fallback:${network}`, perMinute: PER_NETWORK, nowMs });
  if (!own.isAdmitted) return false;
  const quotas = [
    { name: `fallbacks of site ${siteKey}`, most: shareOf(SITE_SHARE) },
    { name: `fallbacks of account ${account.accountId}`, most: shareOf(ACCOUNT_SHARE) },
  ];
  return quotas.every((quota) => drawShare(ports, { ...quota, provider, network, nowMs }).isAdmitted);
}

/**
 * How much of the full work is asked for (proof of work, fallback). A busy network, and a browser that comes back while more
 * is asked of it, get a quarter and no less. The step-up that a solution with less work led to is drawn with it and takes nothing
 * from the quotas.
 */
export function decideFallback(ports: Ports, request: FallbackRequest): Workload {
  const { wish, stage, isBusy } = request;
  if (wish === "none" || !hasFallback(ports.settings.algorithm)) return "full";
  if (wish !== "asked") return isBusy ? "quarter" : "reduced";
  if (!isWithinQuotas(ports, request)) return "full";
  return isBusy || stage === "stepped_up" ? "quarter" : "reduced";
}
