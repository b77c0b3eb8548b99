import type { Challenge } from "@stile/pow/challenge";
import type { Account } from "../../domain/account/account.ts";
import {
  type ChallengeStage,
  type ChallengeTerms,
  difficultyOn,
  type FallbackWish,
} from "../../domain/challenge/challenge.ts";
import {
  difficultyExponent,
  earningsExponent,
  loadExponent,
  networkExponent,
} from "../../domain/challenge/difficulty.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Earned } from "../../domain/token/earning-window.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PricedDraw } from "./challenge-budget.ts";
import { decideFallback } from "./fallback-terms.ts";

type Ports = Pick<ServicePorts, "settings" | "siteLoad" | "localLimiter" | "challengeTallies">;

/** For whom; `client` is the visitor's name in the counters. */
export type TermsRequest = {
  readonly site: Site;
  readonly account: Account;
  readonly client: string;
  /** The name of the client's /24 or /48; undefined where it is unknown. */
  readonly network: string | undefined;
  /** What the budget said of them, counted already. */
  readonly draw: Pick<PricedDraw, "network" | "perMinute" | "isKnown" | "provider">;
  /** Tokens of the site that their network earned lately. */
  readonly earned: Earned;
  /** What it may earn in an hour. */
  readonly tokensPerHour: number;
  readonly nowMs: number;
  readonly wish: FallbackWish;
  /** Whether the work of another challenge was just done for it, and a click alone is missing (D9). */
  readonly isWorkDone: boolean;
};

/** Whether work stands in for a refusal, or the network has earned all that it may for now (D10). */
function isOverLimit({
  draw,
  earned,
  tokensPerHour,
}: Pick<TermsRequest, "draw" | "earned" | "tokensPerHour">): boolean {
  return draw.network === "work" || earned.tokens >= tokensPerHour;
}

/**
 * Whether a challenge that was drawn in another network costs no less than this one's traffic alone asks for (D9): a quiet
 * network asks for nothing. Else work would be drawn where it is cheap and handed in where it is dear.
 */
export function isWorthHere(
  challenge: Challenge,
  asked: Pick<TermsRequest, "site" | "draw" | "earned" | "tokensPerHour">,
): boolean {
  const network = Math.max(
    networkExponent(asked.draw.perMinute, 0),
    earningsExponent(asked.earned, asked.tokensPerHour),
  );
  const isOver = isOverLimit(asked);
  if (network === 0 && !isOver) return true;
  // What a busy network gives to browsers without WebAssembly.
  const workload = challenge.isFallback ? "quarter" : "full";
  const factors = { risk: 0, network, load: 0, site: asked.site.difficultyOffset };
  const exponent = difficultyExponent(factors, isOver && workload === "full");
  return challenge.difficulty >= difficultyOn(challenge.algorithm, { workload, exponent, isWorkDone: false });
}

/**
 * How hard the challenge of this visitor is: by whether they were asked for more, by network, load and the owner's slider; and counts
 * it for the next. Nothing that they say of themselves comes into it but the wish for less work, and nothing that they scored: a bot's
 * author would read off it how close they have come (decision 0017).
 */
export function decideTerms(ports: Ports, stage: ChallengeStage, request: TermsRequest): ChallengeTerms {
  const { siteLoad } = ports;
  const { site, client, network, draw, earned, tokensPerHour, nowMs, isWorkDone } = request;
  const earnings = earningsExponent(earned, tokensPerHour);
  // Who redeemed a token lately is no part of a rush, and does not pay for it.
  const siteRatio = draw.isKnown ? 0 : siteLoad.ratio(site.siteKey, nowMs);
  const isBusy = networkExponent(draw.perMinute, 0) > 0 || earnings > 0;
  const { provider } = draw;
  const asked = { ...request, stage, isBusy, provider, network: network ?? client, siteKey: site.siteKey };
  const workload = decideFallback(ports, asked);
  const factors = {
    risk: stage === "stepped_up" && !isWorkDone ? 1 : 0,
    network: Math.max(networkExponent(draw.perMinute, siteRatio), earnings),
    load: loadExponent(siteRatio),
    site: site.difficultyOffset,
  };
  // An interpreter would not end in time with what is asked of others over the limit.
  const exponent = difficultyExponent(factors, isOverLimit(request) && workload === "full");
  siteLoad.record(site.siteKey, nowMs);
  return { stage, exponent, workload, isWorkDone, isFallback: workload !== "full" && request.wish !== "excused" };
}
