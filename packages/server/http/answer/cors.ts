import type { IncomingMessage } from "node:http";

/** Seconds a browser may remember a preflight; two hours is the most that Chromium keeps. */
const PREFLIGHT_SECONDS = "7200";

/**
 * CORS headers of the widget endpoints, errors included, so that the widget can say what is wrong (D8). Any origin may
 * read these answers: they carry no credentials, and what is allowed is decided by the site's domains.
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
 * Whatever the page's own `fetch` adds to each request (a CSRF token, a trace): nothing here reads it, and a browser that was not let send it
 * would ask nothing at all. The star leaves out `Authorization`, and older browsers don't know it.
 */
const ANY_HEADERS = "Content-Type, Authorization, *";

/** Headers of the answer to a preflight (D8). */
export function preflightHeaders(request: IncomingMessage, method: "GET" | "POST"): Record<string, string> {
  return {
    ...corsHeaders(request),
    "Access-Control-Allow-Methods": method,
    "Access-Control-Allow-Headers": ANY_HEADERS,
    "Access-Control-Max-Age": PREFLIGHT_SECONDS,
  };
}
