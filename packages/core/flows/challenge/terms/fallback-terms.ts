import type { Challenge } from "@stile/pow/challenge";
import { FALLBACK_WATCHED_MS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { isWatchedLongEnough } from "@stile/risk/witness";
import type { Account } from "../../../domain/account/account.ts";
import {
  type ChallengeStage,
  type FallbackWish,
  hasFallback,
  type Workload,
} from "../../../domain/challenge/challenge.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { drawShare } from "./draw-share.ts";

type Ports = Pick<ServicePorts, "settings" | "localLimiter" | "challengeTallies">;

/** A request for less work. */
export type FallbackRequest = {
  readonly wish: FallbackWish;
  readonly stage: ChallengeStage;
  /** Whether the client or its network asks for more challenges than people do. */
  readonly isBusy: boolean;
  /** The name of the client's network in the counters; if unknown, that of the client. */
  readonly network: string;
  /** The name of its IPv6 /32; undefined for IPv4. */
  readonly provider: string | undefined;
  readonly siteKey: string;
  readonly account: Account;
  readonly nowMs: number;
};

/** Challenges with less work a minute for one network. Over any quota, the full work is required (proof of work). */
const PER_NETWORK = 12;
/** The parts of one network's limit that may have less work in all: far more than browsers without WebAssembly need. */
const SITE_SHARE = 1 / 4;
const ACCOUNT_SHARE = 1 / 2;
/** The least size of such a part, so that one network alone never takes all of it. */
const LEAST_SHARE = 2 * PER_NETWORK;

/** Solutions with less work a minute from one network that do not count against the visitor. */
const EXCUSED_PER_NETWORK = 3;

/**
 * How a solution with less work counts. `none`: the work was not less. `hurried`: it came sooner, by the service's
 * clock, than a browser without WebAssembly can be done, so programs must wait or pay. Of the others, the first few of
 * a network are `excused`, the rest `patient`.
 */
export type FallbackStanding = "none" | "hurried" | "patient" | "excused";

/** Decides how a solution counts, and counts excused ones in each network that took part. */
export function decideStanding(
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

/** What a step-up after such a solution wishes for; `isWorkDone` if only a click is missing. */
export function wishAfter(standing: FallbackStanding, isWorkDone: boolean): FallbackWish {
  if (standing === "none") return "none";
  return isWorkDone && standing === "excused" ? "excused" : "continued";
}

/** The flags whose step-up needs only a click and no more work (D9). A hurried solution has not done its work. */
export function forgivenFlags(standing: FallbackStanding): readonly RiskFlag[] {
  return standing === "hurried" ? ["low_evidence"] : ["low_evidence", "pow_fallback"];
}

/**
 * Draws from the quotas of network, site and account, so that many networks together gain no more than one share (D8),
 * and a few of them do not use it up for the others.
 */
function isWithinQuotas(ports: Ports, request: FallbackRequest): boolean {
  const { network, provider, siteKey, account, nowMs } = request;
  const challenges = account.challengePerMinute ?? ports.settings.limits.challenge;
  const shareOf = (share: number): number => Math.max(LEAST_SHARE, Math.floor(share * challenges));
  const own = ports.localLimiter.consume({ scope: `fallback:${network}`, perMinute: PER_NETWORK, nowMs });
  if (!own.isAdmitted) return false;
  const quotas = [
    { name: `fallbacks of site ${siteKey}`, perMinute: shareOf(SITE_SHARE) },
    { name: `fallbacks of account ${account.accountId}`, perMinute: shareOf(ACCOUNT_SHARE) },
  ];
  return quotas.every((quota) => drawShare(ports, { ...quota, provider, network, nowMs }).isAdmitted);
}

/**
 * How much of the full work is asked for (proof of work, fallback). Busy networks, and browsers that come back stepped
 * up, get a quarter of the work and no less. A step-up after a solution with less work takes nothing from the quotas.
 */
export function decideWorkload(ports: Ports, request: FallbackRequest): Workload {
  const { wish, stage, isBusy } = request;
  if (wish === "none" || !hasFallback(ports.settings.algorithm)) return "full";
  if (wish !== "asked") return isBusy ? "quarter" : "reduced";
  if (!isWithinQuotas(ports, request)) return "full";
  return isBusy || stage === "stepped_up" ? "quarter" : "reduced";
}
