import type { ChallengeStage, ChallengeTerms, FallbackWish } from "../../domain/challenge.ts";
import { difficultyExponent, loadExponent, networkExponent, riskExponent } from "../../domain/difficulty.ts";
import type { ServiceSettings } from "../../domain/service-settings.ts";
import type { Account, Site } from "../../domain/site.ts";
import type { LocalLimiter } from "../../ports/rate-limiter.ts";
import type { SiteLoad } from "../../ports/site-load.ts";
import type { VisitorHistory } from "../../ports/visitor-history.ts";
import { judgeFallback } from "./fallback-terms.ts";

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
  readonly account: Account;
  readonly client: string;
  /** The name of the client's /24 or /48; undefined where it is unknown. */
  readonly network: string | undefined;
  /** The name of his user agent in that network; undefined where the network is. */
  readonly agent: string | undefined;
  readonly nowMs: number;
  readonly wish: FallbackWish;
};

/** Counts one challenge under the scope; counting is all, nobody is refused here. */
function count(limiter: LocalLimiter, scope: string, nowMs: number): void {
  limiter.consume({ scope, perMinute: Number.MAX_SAFE_INTEGER, nowMs });
}

/**
 * How hard the challenge of this visitor is: by his last visits, network, load and the owner's slider; and counts it for the
 * next. Nothing that he says of himself comes into it but the wish for less work (decision 0017).
 */
export function judgeTerms(ports: TermsPorts, stage: ChallengeStage, request: TermsRequest): ChallengeTerms {
  const { localLimiter, siteLoad, history, settings } = ports;
  const { site, client, network, agent, nowMs } = request;
  const scopes = [client, ...(network === undefined ? [] : [network])].map((name) => `network:${name}`);
  const busy = networkExponent(scopes.map((scope) => localLimiter.ratePerMinute(scope, nowMs)));
  const hasRedeemed = agent !== undefined && history.hasRedeemed(site.siteKey, agent, nowMs);
  const exponent = difficultyExponent({
    risk: riskExponent({ mustStepUp: stage === "stepped_up", hasRedeemed }),
    network: busy,
    load: loadExponent(siteLoad.ratio(site.siteKey, nowMs)),
    site: site.difficultyOffset,
  });
  for (const scope of scopes) count(localLimiter, scope, nowMs);
  siteLoad.note(site.siteKey, nowMs);
  const asked = { ...request, stage, isBusy: busy > 0, network: network ?? client, siteKey: site.siteKey };
  return { stage, exponent, workload: judgeFallback({ localLimiter, settings }, asked) };
}
