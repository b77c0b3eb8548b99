import { REPEAT_SECONDS } from "@stile/protocol/limits";
import type { Site } from "../site/site.ts";
import { type BindingDifference, isBindingMismatch } from "./binding.ts";
import type { TokenPayload } from "./token.ts";
import type { RedemptionRefusal } from "./verdict.ts";

/** A redemption as far as it can be judged without spending. */
export type RedemptionCase = {
  /** The site whose secret was shown. */
  readonly site: Site;
  /** The `site_key` the caller named, if any (D2). */
  readonly claimedSiteKey: string | undefined;
  readonly token: TokenPayload;
  /** Whether the token's own site still exists; only asked if it is another one. */
  readonly doesTokenSiteExist: boolean;
  readonly nowMs: number;
  readonly differences: readonly BindingDifference[];
};

/** Whether the token is past its expiry (spec 2.5): it lives exactly while `now < expiry`. */
export function isExpired(token: TokenPayload, nowMs: number): boolean {
  return nowMs >= token.expiresAtMs;
}

/** Until when a spent token is remembered: as long as it, or its exact repeat, could be shown (D2). */
export function retainSpentUntilMs(token: TokenPayload): number {
  return token.expiresAtMs + REPEAT_SECONDS * 1000;
}

function refuse(reasonCode: RedemptionRefusal["reasonCode"], score: number): RedemptionRefusal {
  return { kind: "refused", reasonCode, score };
}

/** The first rule of D2 that refuses an authentic token, in the order of D2; expiry and single use are judged after it. */
export function findForeignRefusal(candidate: RedemptionCase): RedemptionRefusal | undefined {
  const { site, claimedSiteKey, token } = candidate;
  if (token.siteKey !== site.siteKey && !candidate.doesTokenSiteExist) return refuse("invalid_site_key", 1);
  if (token.siteKey !== site.siteKey) return refuse("site_key_mismatch", 1);
  if (claimedSiteKey !== undefined && claimedSiteKey !== site.siteKey) return refuse("site_key_mismatch", 1);
  if (!site.isEnabled) return refuse("site_disabled", 1);
  return undefined;
}

/** `binding_mismatch` under the site's setting, else undefined (D5). */
export function findBindingRefusal(candidate: RedemptionCase): RedemptionRefusal | undefined {
  const { site, token, differences } = candidate;
  return isBindingMismatch(differences, site.binding) ? refuse("binding_mismatch", token.score) : undefined;
}
