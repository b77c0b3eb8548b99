import { assess } from "@stile/risk/assess";
import { type ChallengeStage, type ChallengeTerms, hasFallback } from "../../domain/challenge.ts";
import { difficultyExponent, loadExponent, networkExponent, riskExponent } from "../../domain/difficulty.ts";
import type { ServiceSettings } from "../../domain/service-settings.ts";
import type { Site } from "../../domain/site.ts";
import type { Visitor } from "../../domain/visitor.ts";
import type { LocalLimiter } from "../../ports/rate-limiter.ts";
import type { SiteLoad } from "../../ports/site-load.ts";
import type { VisitorHistory } from "../../ports/visitor-history.ts";

/** What judging the terms of a challenge needs. */
export type TermsPorts = {
  readonly localLimiter: LocalLimiter;
  readonly siteLoad: SiteLoad;
  readonly history: VisitorHistory;
  readonly settings: ServiceSettings;
};

/** For whom; `client` is the visitor's name in the counters. */
export type TermsRequest = {
  readonly site: Site;
  readonly visitor: Visitor;
  readonly client: string;
  /** The name of the client's /24 or /48; undefined where it is unknown. */
  readonly network: string | undefined;
  readonly nowMs: number;
  /** The browser says that it has no WebAssembly. */
  readonly wantsFallback: boolean;
};

/** Fallback challenges a minute that one network may draw; over it, it works like everybody (proof of work). */
const FALLBACK_PER_MINUTE = 12;

/** Counts one challenge under the scope; counting is all, nobody is refused here. */
function count(limiter: LocalLimiter, scope: string, nowMs: number): void {
  limiter.consume({ scope, perMinute: Number.MAX_SAFE_INTEGER, nowMs });
}

/** How hard the challenge of this visitor is: by risk, network, load and the owner's slider; and counts it for the next. */
export function judgeTerms(ports: TermsPorts, stage: ChallengeStage, request: TermsRequest): ChallengeTerms {
  const { localLimiter, siteLoad, history, settings } = ports;
  const { site, visitor, client, network, nowMs } = request;
  const scopes = [client, ...(network === undefined ? [] : [network])].map((name) => `network:${name}`);
  const seen = { headers: visitor.riskHeaders, userAgent: visitor.userAgent };
  const { score } = assess(seen, settings.flagWeights);
  const exponent = difficultyExponent({
    risk: riskExponent({
      score,
      wasGood: history.wasGood(site.siteKey, client, nowMs),
      mustStepUp: stage === "stepped_up",
    }),
    network: networkExponent(scopes.map((scope) => localLimiter.ratePerMinute(scope, nowMs))),
    load: loadExponent(siteLoad.ratio(site.siteKey, nowMs)),
    site: site.difficultyOffset,
  });
  for (const scope of scopes) count(localLimiter, scope, nowMs);
  siteLoad.note(site.siteKey, nowMs);
  const mayFallBack = request.wantsFallback && hasFallback(settings.algorithm);
  const quota = { scope: `fallback:${network ?? client}`, perMinute: FALLBACK_PER_MINUTE, nowMs };
  return { stage, exponent, isFallback: mayFallBack && localLimiter.consume(quota).isAdmitted };
}
