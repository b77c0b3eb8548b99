import { REPEAT_SECONDS } from "@stile/protocol/limits";
import type { Recommendation } from "@stile/protocol/site-settings";
import { mayAsk } from "../challenge/challenge.ts";
import type { Site } from "../site/site.ts";
import { recommend } from "../site/thresholds.ts";
import { type BindingDifference, isBindingMismatch } from "./binding.ts";
import type { RedemptionRefusal } from "./redeem-answer.ts";
import type { TokenPayload } from "./token.ts";

/** The redemption of an authentic token: everything that can be checked without spending it. */
export type RedemptionCase = {
  /** The site that the secret key belongs to. */
  readonly site: Site;
  /** The `site_key` that the caller named, if any (D2, redemption). */
  readonly claimedSiteKey: string | undefined;
  readonly token: TokenPayload;
  /** Whether the token's own site still exists. */
  readonly doesTokenSiteExist: boolean;
  /** The result of `isExpired`. */
  readonly hasExpired: boolean;
  /**
   * Whether the caller sent an idempotency key. Without one, this cannot be an exact repeat (D2,
   * redemption).
   */
  readonly hasIdempotencyKey: boolean;
  readonly nowMs: number;
  readonly differences: readonly BindingDifference[];
};

/**
 * Whether the token has expired (spec 2.5): it lives exactly while `now < expiry` and its key is
 * not retired (D3, single use).
 */
export function isExpired(token: TokenPayload, isKeyRetired: boolean, nowMs: number): boolean {
  return isKeyRetired || nowMs >= token.expiresAtMs;
}

/**
 * Until when a spent token is remembered: as long as the token or its exact repeat can be presented
 * (D2, redemption).
 */
export function retainSpentUntilMs(token: TokenPayload): number {
  return token.expiresAtMs + REPEAT_SECONDS * 1000;
}

/**
 * Whether this very call may have spent the expired token. If so, the ledger is asked for a repeat
 * only.
 */
function mayBeRepeat(candidate: RedemptionCase): boolean {
  if (!candidate.hasIdempotencyKey) return false;
  if (candidate.nowMs >= retainSpentUntilMs(candidate.token)) return false;
  // The call that spent the token had no mismatch, so its exact repeat has none either.
  return !isBindingMismatch(candidate.differences, candidate.site.binding);
}

function refuse(reasonCode: RedemptionRefusal["reasonCode"], score: number): RedemptionRefusal {
  return { kind: "refused", reasonCode, score };
}

/**
 * The first rule of D2 (redemption), in its order, that refuses an authentic token; only the limit
 * and single use come after.
 */
export function findRefusal(candidate: RedemptionCase): RedemptionRefusal | undefined {
  const { site, claimedSiteKey, token, differences } = candidate;
  const isForeign = token.siteKey !== site.siteKey;
  if (isForeign && !candidate.doesTokenSiteExist) return refuse("invalid_site_key", 1);
  if (isForeign) return refuse("site_key_mismatch", 1);
  if (claimedSiteKey !== undefined && claimedSiteKey !== site.siteKey)
    return refuse("site_key_mismatch", 1);
  if (!site.isEnabled) return refuse("site_disabled", 1);
  if (candidate.hasExpired && !mayBeRepeat(candidate)) return refuse("token_expired", token.score);
  if (isBindingMismatch(differences, site.binding)) return refuse("binding_mismatch", token.score);
  return undefined;
}

/**
 * The recommendation for a redeemed token with this score (D6, scores). If the token's mode lets
 * the service ask for a press, the visitor was asked before the token was issued, so `challenge`
 * becomes `allow`.
 */
export function recommendForToken(
  { mode }: Pick<TokenPayload, "mode">,
  score: number,
  site: Site,
): Recommendation {
  const recommendation = recommend(score, site.thresholds);
  return recommendation === "challenge" && mayAsk(mode) ? "allow" : recommendation;
}
