/** The `error_codes` of a failed verification, with their meanings (spec 7.2). */
export const VERIFY_ERROR_CODES = {
  "missing-input-secret": "Secret key not provided.",
  "invalid-input-secret": "Secret key is invalid.",
  "missing-input-response": "Token not provided.",
  "invalid-input-response": "Token is invalid or malformed.",
  "timeout-or-duplicate": "Token expired or already used.",
  "bad-request": "Request was malformed.",
} as const;

/** One of the six `error_codes` (spec 7.2). Clients tolerate values they don't know (spec 9.2). */
export type VerifyErrorCode = keyof typeof VERIFY_ERROR_CODES;
