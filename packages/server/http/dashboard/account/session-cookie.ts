import { DEVICE_DAYS } from "@stile/core/flows/account/sign-in/known-devices";

/**
 * Name of the session's cookie. Its prefix makes browsers take it only over a trustworthy connection, for this host alone
 * and for all its paths: no other host or path can plant one (RFC 6265bis, 4.1.3.2).
 */
const SESSION_COOKIE = "__Host-stile";
/** Name of the cookie by which a browser is known that signed in before; it opens nothing. */
export const DEVICE_COOKIE = "__Host-stile-device";

const ATTRIBUTES = "Path=/; Secure; HttpOnly";
const DAY_SECONDS = 86_400;

/** Each cookie of one name and its value in a Cookie header. */
const OWN_COOKIES = {
  session: /(?<=^|;)[ \t]*__Host-stile[ \t]*=([^;]*)/g,
  device: /(?<=^|;)[ \t]*__Host-stile-device[ \t]*=([^;]*)/g,
} as const;

/** The Set-Cookie text of a new session. It goes with the browser's own session; the service ends it sooner. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; SameSite=Lax`;
}

/** The Set-Cookie text that takes the session's cookie away. */
export function clearedCookie(): string {
  return `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}; SameSite=Lax`;
}

/** The Set-Cookie text that makes a browser known. Signing in is a call of the dashboard's own page: no other site's sends it. */
export function deviceCookie(token: string): string {
  return `${DEVICE_COOKIE}=${token}; Max-Age=${DEVICE_DAYS * DAY_SECONDS}; ${ATTRIBUTES}; SameSite=Strict`;
}

/** The session token of a Cookie header; undefined without one, or with several, of which no browser's would be ours. */
export function readSessionToken(header: string | undefined): string | undefined {
  return readCookie(header, OWN_COOKIES.session);
}

/** What a known browser carries; undefined for any other, and under the same rules. */
export function readDeviceToken(header: string | undefined): string | undefined {
  return readCookie(header, OWN_COOKIES.device);
}

function readCookie(header: string | undefined, pattern: RegExp): string | undefined {
  const [first, second] = (header ?? "").matchAll(pattern);
  return second === undefined ? first?.[1]?.trim() || undefined : undefined;
}
