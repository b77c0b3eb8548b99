type ApiError = {
  /** The HTTP status that comes with the code (D11, errors). */
  readonly status: number;
  /** The cause, in words for people. */
  readonly meaning: string;
};

/**
 * The error codes of spec 7.1 and D11 (errors): the `error.code` of every answer that is not 200,
 * and `invalid_token`.
 */
export const API_ERROR_CODES = {
  invalid_token: { status: 200, meaning: "Token or solution is invalid or expired." },
  invalid_site_key: { status: 404, meaning: "Site key not found." },
  domain_mismatch: {
    status: 403,
    meaning: "Request domain does not match the site configuration.",
  },
  rate_limited: { status: 429, meaning: "Too many requests." },
  internal_error: { status: 500, meaning: "Server error." },
  missing_secret: { status: 401, meaning: "No secret key was given." },
  invalid_secret: {
    status: 401,
    meaning:
      "The secret key is unknown, revoked or past its grace period. Use the current one, which begins with sk_. If you have lost it, rotate it in the dashboard.",
  },
  site_disabled: { status: 403, meaning: "The site is disabled." },
  bad_request: { status: 400, meaning: "The request could not be read." },
  not_found: { status: 404, meaning: "This address does not exist." },
  method_not_allowed: { status: 405, meaning: "This address does not accept this method." },
  unsupported_media_type: { status: 415, meaning: "The body must be sent as application/json." },
  payload_too_large: { status: 413, meaning: "The body is larger than this address accepts." },
} as const satisfies Record<string, ApiError>;

/** One of these codes: the machine-readable cause of a refusal (spec 7.1; D11, errors). */
export type ApiErrorCode = keyof typeof API_ERROR_CODES;
