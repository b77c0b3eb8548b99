import type { Account } from "../../domain/account/account.ts";
import type { ChallengeStage, ChallengeTerms, FallbackWish } from "../../domain/challenge/challenge.ts";
import {
  difficultyExponent,
  earningsExponent,
  loadExponent,
  networkExponent,
  riskExponent,
} from "../../domain/challenge/difficulty.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PricedDraw } from "./challenge-budget.ts";
import { decideFallback } from "./fallback-terms.ts";

type Ports = Pick<ServicePorts, "settings" | "siteLoad" | "localLimiter" | "visitorMemory">;

/** For whom; `client` is the visitor's name in the counters. */
export type TermsRequest = {
  readonly site: Site;
  readonly account: Account;
  readonly client: string;
  /** The name of the client's /24 or /48; undefined where it is unknown. */
  readonly network: string | undefined;
  /** What the budget said of them, counted already. */
  readonly draw: Pick<PricedDraw, "network" | "perMinute" | "isKnown" | "agent">;
  /** Tokens of the site that their network earned lately. */
  readonly earned: number;
  /** What it may earn in an hour. */
  readonly tokensPerHour: number;
  readonly nowMs: number;
  readonly wish: FallbackWish;
  /** Whether the work of another challenge was just done for it, and a click alone is missing (D9). */
  readonly isWorkDone: boolean;
};

/**
 * How hard the challenge of this visitor is: by their last visits, network, load and the owner's slider; and counts it for the
 * next. Nothing that they say of themselves comes into it but the wish for less work (decision 0017).
 */
export function decideTerms(ports: Ports, stage: ChallengeStage, request: TermsRequest): ChallengeTerms {
  const { localLimiter, siteLoad, visitorMemory, settings } = ports;
  const { site, client, network, draw, earned, tokensPerHour, nowMs, isWorkDone } = request;
  const earnings = earningsExponent(earned, tokensPerHour);
  // Who redeemed a token lately is no part of a rush, and does not pay for it.
  const siteRatio = draw.isKnown ? 0 : siteLoad.ratio(site.siteKey, nowMs);
  const isBusy = networkExponent(draw.perMinute, 0) > 0 || earnings > 0;
  const asked = { ...request, stage, isBusy, network: network ?? client, siteKey: site.siteKey };
  const workload = decideFallback({ localLimiter, settings }, asked);
  // A form sent twice is worth half the work; a busy network is not.
  const hasRedeemed = !isBusy && visitorMemory.hasRedeemed(site.siteKey, draw.agent, nowMs);
  const factors = {
    risk: riskExponent({ mustStepUp: stage === "stepped_up" && !isWorkDone, hasRedeemed }),
    network: Math.max(networkExponent(draw.perMinute, siteRatio), earnings),
    load: loadExponent(siteRatio),
    site: site.difficultyOffset,
  };
  // An interpreter would not end in time with what is asked of others over the limit.
  const isOverLimit = draw.network === "work" || earned >= tokensPerHour;
  const exponent = difficultyExponent(factors, isOverLimit && workload === "full");
  siteLoad.record(site.siteKey, nowMs);
  return { stage, exponent, workload, isWorkDone, isFallback: workload !== "full" && request.wish !== "excused" };
}
