import { REPEAT_SECONDS } from "@stile/protocol/limits";
import type { Site } from "../site/site.ts";
import { type BindingDifference, isBindingMismatch } from "./binding.ts";
import type { RedemptionRefusal } from "./redeem-answer.ts";
import type { TokenPayload } from "./token.ts";

/** The redemption of an authentic token, as far as it can be judged without spending. */
export type RedemptionCase = {
  /** The site whose secret was shown. */
  readonly site: Site;
  /** The `site_key` the caller named, if any (D2). */
  readonly claimedSiteKey: string | undefined;
  readonly token: TokenPayload;
  /** Whether the token's own site still exists. */
  readonly doesTokenSiteExist: boolean;
  /** By `isExpired`. */
  readonly hasExpired: boolean;
  /** Whether the caller gave an idempotency key: only then may this be an exact repeat (D2). */
  readonly hasIdempotencyKey: boolean;
  readonly nowMs: number;
  readonly differences: readonly BindingDifference[];
};

/** Whether the token is past its expiry (spec 2.5): it lives exactly while `now < expiry`, and its key is not retired (D3). */
export function isExpired(token: TokenPayload, isKeyRetired: boolean, nowMs: number): boolean {
  return isKeyRetired || nowMs >= token.expiresAtMs;
}

/** Until when a spent token is remembered: as long as it, or its exact repeat, could be shown (D2). */
export function retainSpentUntilMs(token: TokenPayload): number {
  return token.expiresAtMs + REPEAT_SECONDS * 1000;
}

/** Whether an expired token may have been spent by this very call: the ledger knows, and is asked for nothing else. */
function mayBeRepeat({ hasIdempotencyKey, token, nowMs, site, differences }: RedemptionCase): boolean {
  if (!hasIdempotencyKey || nowMs >= retainSpentUntilMs(token)) return false;
  // The call that spent it had no mismatch, and an exact repeat has none either.
  return !isBindingMismatch(differences, site.binding);
}

function refuse(reasonCode: RedemptionRefusal["reasonCode"], score: number): RedemptionRefusal {
  return { kind: "refused", reasonCode, score };
}

/** The first rule of D2 that refuses an authentic token, in the order of D2; only single use and the limit come after these. */
export function findRefusal(candidate: RedemptionCase): RedemptionRefusal | undefined {
  const { site, claimedSiteKey, token, differences } = candidate;
  const isForeign = token.siteKey !== site.siteKey;
  if (isForeign && !candidate.doesTokenSiteExist) return refuse("invalid_site_key", 1);
  if (isForeign) return refuse("site_key_mismatch", 1);
  if (claimedSiteKey !== undefined && claimedSiteKey !== site.siteKey) return refuse("site_key_mismatch", 1);
  if (!site.isEnabled) return refuse("site_disabled", 1);
  if (candidate.hasExpired && !mayBeRepeat(candidate)) return refuse("token_expired", token.score);
  if (isBindingMismatch(differences, site.binding)) return refuse("binding_mismatch", token.score);
  return undefined;
}
