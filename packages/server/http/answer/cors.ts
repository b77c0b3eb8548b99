import type { IncomingMessage } from "node:http";

/** How many seconds a browser may cache a preflight; Chromium caches at most two hours. */
const PREFLIGHT_SECONDS = "7200";

/**
 * CORS headers of the widget endpoints, also on errors, so that the widget can report what is wrong
 * (D8, challenge). Any origin may read these answers. They hold no credentials, and the site's
 * domains decide who gets a challenge.
 */
export function corsHeaders(request: IncomingMessage): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Date, Retry-After, X-Request-Id",
    "Cross-Origin-Resource-Policy": "cross-origin",
    Vary: "Origin",
  };
}

/**
 * Headers that a page's own wrapper of `fetch` may add to each request, such as a CSRF token or a
 * trace. The service reads none of them, but a browser that may not send one would send no request
 * at all. The star does not include `Authorization`, and older browsers don't know it.
 */
const ANY_HEADERS = "Content-Type, Authorization, *";

/** Headers of the answer to a preflight (D8, challenge). */
export function preflightHeaders(
  request: IncomingMessage,
  method: "GET" | "POST",
): Record<string, string> {
  return {
    ...corsHeaders(request),
    "Access-Control-Allow-Methods": method,
    "Access-Control-Allow-Headers": ANY_HEADERS,
    "Access-Control-Max-Age": PREFLIGHT_SECONDS,
  };
}
