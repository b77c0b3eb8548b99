/**
 * The key of `Authorization: Bearer <key>`; undefined if the header is absent or of another kind
 * (spec 5.1).
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  const match = authorization === undefined ? null : /^Bearer +([^\s]+)\s*$/i.exec(authorization);
  return match?.[1];
}

/**
 * The messages to callers of the Bearer endpoints about their secret key and their body (D2,
 * redemption; D7, score request).
 */
export const SAID = {
  missingSecret: "Send the site's secret key in the header: Authorization: Bearer sk_...",
  wrongSecrets:
    "Too many wrong secret keys from this address. Check the key, then try again after the time in Retry-After.",
  usePost: "Use POST with a JSON body.",
  useJson: "Send the body as JSON, uncompressed, with Content-Type: application/json.",
} as const;

/** The header of a 401 without a secret key, and with a wrong one (spec 5). */
export const BEARER = {
  missing: { "WWW-Authenticate": "Bearer" },
  invalid: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
} as const;
