import type { Challenge } from "@stile/pow/challenge";
import { FALLBACK_WATCHED_MS } from "@stile/protocol/limits";
import { isWatchedLongEnough } from "@stile/risk/witness";
import type { Account } from "../../../domain/account/account.ts";
import {
  type ChallengeStage,
  type FallbackState,
  hasFallback,
  type Workload,
} from "../../../domain/challenge/challenge.ts";
import type { FallbackStanding } from "../../../domain/challenge/fallback-standing.ts";
import { MOST_INTERPRETED } from "../../../domain/challenge/slowest-device.ts";
import type { LimitState } from "../../../domain/rate-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { drawShare, isShareLeft, type ShareRequest } from "./draw-share.ts";

type Ports = Pick<ServicePorts, "settings" | "challengeTallies">;

/**
 * The visitor whose less work counts: their network and its IPv6 /32 as the counters name them
 * (undefined for IPv4).
 */
export type FallbackDraw = {
  readonly network: string;
  readonly provider: string | undefined;
  readonly siteKey: string;
  readonly account: Account;
  readonly nowMs: number;
};

/** A request for less work. */
export type FallbackRequest = FallbackDraw & {
  readonly fallback: FallbackState;
  readonly stage: ChallengeStage;
  /**
   * Whether the network asks for more challenges than people do, or is over the free part of its
   * tokens.
   */
  readonly isBusy: boolean;
};

/** The claim of a browser that it has no WebAssembly. Nobody can check it. */
export type FallbackClaim = Omit<FallbackRequest, "account">;

/**
 * The parts of one network's limit that may have less work in all: far more than browsers without
 * WebAssembly need.
 */
const SITE_SHARE = 1 / 4;
const ACCOUNT_SHARE = 1 / 2;
/** The least size of such a part, so that one network alone never takes all of it. */
const LEAST_SHARE = 24;
/**
 * How many visitors a minute of a busy network are believed that they have no WebAssembly. Others
 * wait: a native program that claims it would otherwise escape the price of its network.
 */
const BELIEVED_PER_MINUTE = 2;

/** Solutions with less work a minute from one network that do not count against the visitor. */
const EXCUSED_PER_NETWORK = 3;

/** Decides how a solution counts, and counts excused ones in each network that took part. */
export function decideStanding(
  { localLimiter }: Pick<ServicePorts, "localLimiter">,
  request: {
    readonly challenge: Challenge;
    readonly networks: readonly string[];
    readonly nowMs: number;
  },
): FallbackStanding {
  const { challenge, networks, nowMs } = request;
  if (!challenge.isFallback) return "none";
  if (!isWatchedLongEnough({ elapsedMs: nowMs - challenge.issuedAtMs }, FALLBACK_WATCHED_MS))
    return "hurried";
  const isExcusedIn = (network: string): boolean =>
    localLimiter.consume({
      scope: `fallback-excused:${network}`,
      perMinute: EXCUSED_PER_NETWORK,
      nowMs,
    }).isAdmitted;
  return networks.every(isExcusedIn) ? "excused" : "patient";
}

/** Visitors a minute of one site who pay a price and are believed that they have no WebAssembly. */
const BELIEVED_PAYERS_PER_MINUTE = 24;

/**
 * Rations the claim of having no WebAssembly where work is the price of something: in a busy
 * network, and where a visitor pays for doubts. Such a browser would not finish work that is
 * expensive for a native program with the same claim.
 */
export function rationClaim(
  ports: Ports & Pick<ServicePorts, "localLimiter">,
  claim: FallbackClaim,
): LimitState | undefined {
  const { siteKey, stage, fallback, provider, network, isBusy, nowMs } = claim;
  if (fallback === "none" || !hasFallback(ports.settings.algorithm)) return undefined;
  if (stage === "priced") {
    const perMinute = BELIEVED_PAYERS_PER_MINUTE;
    return drawShare(ports, {
      name: `priced claims of site ${siteKey}`,
      perMinute,
      provider,
      network,
      nowMs,
    });
  }
  if (fallback !== "asked" || !isBusy) return undefined;
  return ports.localLimiter.consume({
    scope: `fallback:${network}`,
    perMinute: BELIEVED_PER_MINUTE,
    nowMs,
  });
}

/**
 * The quotas of site and account, so that many networks together gain no more than one share (D8,
 * challenge).
 */
function quotasOf({ settings }: Ports, draw: FallbackDraw): ShareRequest[] {
  const { account, provider, network, nowMs } = draw;
  const challenges = account.challengePerMinute ?? settings.limits.challenge;
  const shareOf = (share: number): number => Math.max(LEAST_SHARE, Math.floor(share * challenges));
  return [
    {
      name: `fallbacks of site ${draw.siteKey}`,
      perMinute: shareOf(SITE_SHARE),
      provider,
      network,
      nowMs,
    },
    {
      name: `fallbacks of account ${account.accountId}`,
      perMinute: shareOf(ACCOUNT_SHARE),
      provider,
      network,
      nowMs,
    },
  ];
}

/**
 * Whether the work of a solved challenge was less than the most, because its browser asked for it.
 */
export function isFromQuota({ isFallback, stage, difficulty }: Challenge): boolean {
  return isFallback && stage === "first" && difficulty < MOST_INTERPRETED;
}

/**
 * Counts a solution with less work against the quotas. Challenges that nobody solved use up nothing
 * (D8, challenge).
 */
export function countFallback(ports: Ports, draw: FallbackDraw): void {
  for (const quota of quotasOf(ports, draw)) drawShare(ports, quota);
}

/**
 * Decides how much work to ask for (proof of work, fallback). Busy networks, browsers that return
 * stepped up, and everybody over the quotas get the most that a browser without WebAssembly
 * finishes. A step-up after a solution with less work takes nothing from the quotas.
 */
export function decideWorkload(ports: Ports, request: FallbackRequest): Workload {
  const { fallback, stage, isBusy } = request;
  if (fallback === "none" || !hasFallback(ports.settings.algorithm)) return "full";
  if (isBusy) return "most_interpreted";
  if (fallback !== "asked") return "reduced";
  if (stage !== "first") return "most_interpreted";
  return quotasOf(ports, request).every((quota) => isShareLeft(ports, quota))
    ? "reduced"
    : "most_interpreted";
}
