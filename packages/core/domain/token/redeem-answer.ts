import type { ReasonCode } from "@stile/protocol/reason-codes";
import type { ReservedResponse } from "@stile/protocol/reserved-responses";
import type { Recommendation } from "@stile/protocol/site-settings";
import type { Limited, LimitState } from "../rate-window.ts";

/** The customer's result of a passed verification (spec 2.1). */
export type Verdict = {
  readonly score: number;
  /** The recommendation of the site's thresholds for this score (D6, scores). */
  readonly recommendation: Recommendation;
  readonly hostname: string;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  /** Whether the visitor had no JavaScript and waited for the token (D18, no JavaScript). */
  readonly isScriptless: boolean;
  /** When the token was spent. */
  readonly verifiedAtMs: number;
  /** When its challenge was solved. */
  readonly challengeAtMs: number;
};

/**
 * A negative verdict: the reason, and the token's score, or 1 if the token cannot be trusted (D2,
 * redemption).
 */
export type RedemptionRefusal = {
  readonly kind: "refused";
  readonly reasonCode: Exclude<ReasonCode, "internal_error" | "invalid_secret">;
  readonly score: number;
  /** The reserved word that was sent instead of a token. */
  readonly reserved?: ReservedResponse;
};

/** Every answer to a redemption (D2, redemption) except faults, which are exceptions. */
export type RedeemAnswer =
  | { readonly kind: "verified"; readonly verdict: Verdict; readonly limit: LimitState | undefined }
  | (RedemptionRefusal & { readonly limit: LimitState })
  | { readonly kind: "missing_secret" }
  | { readonly kind: "invalid_secret" }
  | { readonly kind: "too_large" }
  | { readonly kind: "malformed"; readonly limit: LimitState; readonly message: string }
  | Limited
  /** The caller's address sent too many wrong secret keys. */
  | { readonly kind: "caller_limited"; readonly limit: LimitState };
