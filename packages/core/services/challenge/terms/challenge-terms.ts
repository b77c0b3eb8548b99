import type { Challenge } from "@stile/pow/challenge";
import {
  type ChallengeStage,
  type ChallengeTerms,
  difficultyOn,
  type FallbackState,
} from "../../../domain/challenge/challenge.ts";
import {
  difficultyExponent,
  earningsExponent,
  loadExponent,
  networkExponent,
} from "../../../domain/challenge/difficulty.ts";
import type { Site } from "../../../domain/site/site.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { NetworkDraw, PricedDraw } from "./challenge-budget.ts";
import { decideWorkload } from "./fallback-terms.ts";

type Ports = Pick<ServicePorts, "settings" | "siteLoad" | "challengeTallies">;

/** The visitor of a draw; `client` is their name in the counters. */
export type TermsRequest = Pick<NetworkDraw, "account" | "network" | "earnings" | "nowMs"> & {
  readonly site: Site;
  readonly client: string;
  /** The result of the draw, which is already counted. */
  readonly draw: Pick<PricedDraw, "perMinute" | "isKnown" | "provider">;
  readonly fallback: FallbackState;
  /**
   * Whether the visitor has just done the work of another challenge, and only a click is missing
   * (D9, submission).
   */
  readonly isWorkDone: boolean;
  /**
   * Whether the price includes that of a press, which the visitor did not make (D9, submission).
   */
  readonly paysForPress?: boolean;
};

/** How busy the network is that a challenge is drawn or submitted in. */
type Traffic = Pick<TermsRequest, "draw" | "earnings">;

/**
 * How much harder the work gets by stage, as exponents of two. A press costs a script 0.2 to 0.4
 * CPU seconds to invent; the priced challenge is 16 times the base, 1.0 s of native code and 13 s
 * of a phone that takes 0.8 s for the base.
 */
const RISK_EXPONENTS: Readonly<Record<ChallengeStage, number>> = {
  first: 0,
  stepped_up: 1,
  priced: 4,
};

/** The exponent of the sum of two prices: 2 and 16 times the base are 2^4.17 times. */
const sumOfPrices = (one: number, other: number): number => Math.log2(2 ** one + 2 ** other);

/** The ratio of a site that is not busier than usual. */
const NO_RUSH = 0;

/**
 * How much harder the network's rate or its earnings make the work, whichever is more; 0 for a
 * quiet network.
 */
function trafficExponent({ draw, earnings }: Traffic, siteRatio: number): number {
  return Math.max(
    networkExponent(draw.perMinute, siteRatio),
    earningsExponent(earnings.earned, earnings.free),
  );
}

/**
 * Whether the network asks for more challenges than people do, or is over the free part of its
 * tokens (D10, limits).
 */
export function isBusy(traffic: Traffic): boolean {
  return trafficExponent(traffic, NO_RUSH) > 0;
}

/**
 * Whether a challenge that was drawn in another network is at least as hard as the traffic of this
 * one requires (D9, submission); a quiet network requires nothing. Otherwise programs would draw
 * work where it is cheap and submit it where it is expensive. A busy network accepts no smaller
 * workload from elsewhere, because it rations those.
 */
export function isWorthHere(challenge: Challenge, site: Site, traffic: Traffic): boolean {
  if (!isBusy(traffic)) return true;
  if (challenge.isFallback) return false;
  const network = trafficExponent(traffic, NO_RUSH);
  const factors = {
    risk: 0,
    network,
    load: 0,
    site: site.difficultyOffset,
  };
  const terms = {
    workload: "full",
    exponent: difficultyExponent(factors),
    isWorkDone: false,
  } as const;
  return challenge.difficulty >= difficultyOn(challenge.algorithm, terms);
}

/**
 * Decides how hard this visitor's challenge is: by earlier step-ups, and by network, load and the
 * owner's setting. Less work is drawn from its quotas. Of the visitor's own claims only the request
 * for less work counts, and no score does: the author of a bot could read from the difficulty how
 * close it came (decision 0025, no scores in the difficulty).
 */
export function decideTerms(
  ports: Ports,
  stage: ChallengeStage,
  request: TermsRequest,
): ChallengeTerms {
  const { site, client, network, draw, nowMs, isWorkDone } = request;
  // Agents whose tokens were recently redeemed are not part of a rush, and do not pay for it.
  const siteRatio = draw.isKnown ? NO_RUSH : ports.siteLoad.ratio(site.siteKey, nowMs);
  const names = {
    account: request.account,
    siteKey: site.siteKey,
    provider: draw.provider,
    network: network ?? client,
  };
  const workload = decideWorkload(ports, {
    ...names,
    stage,
    fallback: request.fallback,
    isBusy: isBusy(request),
    nowMs,
  });
  const factors = {
    network: trafficExponent(request, siteRatio),
    load: loadExponent(siteRatio),
    site: site.difficultyOffset,
  };
  const exponentAt = (risk: number): number => difficultyExponent({ risk, ...factors });
  const exponent =
    request.paysForPress === true
      ? sumOfPrices(exponentAt(RISK_EXPONENTS.stepped_up), exponentAt(RISK_EXPONENTS.priced))
      : exponentAt(isWorkDone ? 0 : RISK_EXPONENTS[stage]);
  return {
    stage,
    exponent,
    workload,
    isWorkDone,
    isFallback: workload !== "full" && request.fallback !== "excused",
  };
}
