import type { LimitState } from "@stile/core/domain/rate-window";

/** Seconds to wait, at least one, for Retry-After and RateLimit. */
function resetSeconds(limit: LimitState): number {
  return Math.max(1, Math.ceil(limit.resetsInMs / 1000));
}

/** The RateLimit headers of the Bearer endpoints (D10, limits). */
export function limitHeaders(name: "verify" | "score", limit: LimitState): Record<string, string> {
  return {
    "RateLimit-Policy": `"${name}";q=${limit.perMinute};w=60`,
    RateLimit: `"${name}";r=${limit.remaining};t=${resetSeconds(limit)}`,
  };
}

/** The Retry-After header of a 429 (D10, limits). */
export function retryAfter(limit: LimitState): Record<string, string> {
  return { "Retry-After": String(resetSeconds(limit)) };
}
