import type { Challenge } from "@stile/pow/challenge";
import type { Account } from "../../../domain/account/account.ts";
import {
  type ChallengeStage,
  type ChallengeTerms,
  difficultyOn,
  type FallbackWish,
} from "../../../domain/challenge/challenge.ts";
import {
  difficultyExponent,
  earningsExponent,
  loadExponent,
  networkExponent,
} from "../../../domain/challenge/difficulty.ts";
import type { Site } from "../../../domain/site/site.ts";
import type { Earned } from "../../../domain/token/earning-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { PricedDraw } from "./challenge-budget.ts";
import { decideWorkload } from "./fallback-terms.ts";

type Ports = Pick<ServicePorts, "settings" | "siteLoad" | "localLimiter" | "challengeTallies">;

/** The visitor that the terms are for; `client` is their name in the counters. */
export type TermsRequest = {
  readonly site: Site;
  readonly account: Account;
  readonly client: string;
  /** The name of the client's /24 or /48; undefined if unknown. */
  readonly network: string | undefined;
  /** The result of the draw, which is already counted. */
  readonly draw: Pick<PricedDraw, "network" | "perMinute" | "isKnown" | "provider">;
  /** Tokens of the site that their network has earned lately. */
  readonly earned: Earned;
  /** How many the network may earn in an hour. */
  readonly tokensPerHour: number;
  readonly nowMs: number;
  readonly wish: FallbackWish;
  /** Whether the visitor has just done the work of another challenge, and only a click is missing (D9). */
  readonly isWorkDone: boolean;
};

/** How busy the network is that a challenge is drawn or submitted in. */
type Traffic = Pick<TermsRequest, "draw" | "earned" | "tokensPerHour">;

/** The ratio of a site that is not busier than usual. */
const NO_RUSH = 0;

/** Whether work replaces a refusal, or the network has earned all it may for now (D10). */
function isOverLimit({ draw, earned, tokensPerHour }: Traffic): boolean {
  return draw.network === "work" || earned.tokens >= tokensPerHour;
}

/** How much harder the network's rate or its earnings make the work, whichever is more; 0 for a quiet network. */
function trafficExponent({ draw, earned, tokensPerHour }: Traffic, siteRatio: number): number {
  return Math.max(networkExponent(draw.perMinute, siteRatio), earningsExponent(earned, tokensPerHour));
}

/**
 * Whether a challenge that was drawn in another network is at least as hard as the traffic of this one requires (D9); a
 * quiet network requires nothing. Otherwise work would be drawn where it is cheap and submitted where it is dear.
 */
export function isWorthHere(challenge: Challenge, site: Site, traffic: Traffic): boolean {
  const network = trafficExponent(traffic, NO_RUSH);
  const isOver = isOverLimit(traffic);
  if (network === 0 && !isOver) return true;
  // The workload that a busy network gives to browsers without WebAssembly.
  const workload = challenge.isFallback ? "quarter" : "full";
  const exponent = difficultyExponent({
    ...{ risk: 0, network, load: 0, site: site.difficultyOffset },
    isOverLimit: isOver && workload === "full",
  });
  return challenge.difficulty >= difficultyOn(challenge.algorithm, { workload, exponent, isWorkDone: false });
}

/**
 * Decides how hard this visitor's challenge is: by whether they were asked for more, and by network, load and the
 * owner's setting. Less work is drawn from its quotas. Of what visitors say about themselves only the wish for less
 * work counts, and no score does: the author of a bot could read from the difficulty how close it came (decision 0017).
 */
export function decideTerms(ports: Ports, stage: ChallengeStage, request: TermsRequest): ChallengeTerms {
  const { site, client, network, draw, nowMs, isWorkDone } = request;
  // Agents whose tokens were redeemed lately are not part of a rush, and do not pay for it.
  const siteRatio = draw.isKnown ? NO_RUSH : ports.siteLoad.ratio(site.siteKey, nowMs);
  const isBusy = trafficExponent(request, NO_RUSH) > 0;
  const { provider } = draw;
  const asked = { ...request, stage, isBusy, provider, network: network ?? client, siteKey: site.siteKey };
  const workload = decideWorkload(ports, asked);
  const exponent = difficultyExponent({
    risk: stage === "stepped_up" && !isWorkDone ? 1 : 0,
    network: trafficExponent(request, siteRatio),
    load: loadExponent(siteRatio),
    site: site.difficultyOffset,
    // An interpreter would not finish the work that others over the limit get in time.
    isOverLimit: isOverLimit(request) && workload === "full",
  });
  return { stage, exponent, workload, isWorkDone, isFallback: workload !== "full" && request.wish !== "excused" };
}
