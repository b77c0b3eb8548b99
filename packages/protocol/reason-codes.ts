import type { VerifyErrorCode } from "./verify-error-codes.ts";

type ReasonCodeEntry = {
  /** The cause, in words for people (spec 7.3). */
  readonly meaning: string;
  /** The `error_codes` that accompany it (D2, redemption); none for a fault of the service. */
  readonly errorCodes: readonly VerifyErrorCode[];
};

/**
 * The complete set of `reasonCode` values of a failed POST /api/v1/token/verify (spec 7.3; D2,
 * redemption).
 */
export const REASON_CODES = {
  missing_token: { meaning: "No token was supplied.", errorCodes: ["missing-input-response"] },
  invalid_signature: {
    meaning: "Token signature did not verify.",
    errorCodes: ["invalid-input-response"],
  },
  token_expired: {
    meaning: "Token is past its expiry time.",
    errorCodes: ["timeout-or-duplicate"],
  },
  token_already_used: {
    meaning: "Single-use token already redeemed.",
    errorCodes: ["timeout-or-duplicate"],
  },
  invalid_site_key: { meaning: "Site key not recognized.", errorCodes: ["invalid-input-response"] },
  invalid_secret: {
    meaning: "Secret key did not match the site.",
    errorCodes: ["invalid-input-secret"],
  },
  site_key_mismatch: {
    meaning: "Token was issued for a different site key.",
    errorCodes: ["invalid-input-response"],
  },
  site_disabled: { meaning: "The site is disabled.", errorCodes: ["invalid-input-secret"] },
  binding_mismatch: {
    meaning: "Token binding (IP / user agent) did not match.",
    errorCodes: ["invalid-input-response"],
  },
  internal_error: { meaning: "Server-side error during verification.", errorCodes: [] },
} as const satisfies Record<string, ReasonCodeEntry>;

/** Why a token was not accepted (spec 7.3). */
export type ReasonCode = keyof typeof REASON_CODES;
