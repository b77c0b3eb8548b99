import { DEVICE_DAYS } from "@stile/core/flows/account/sign-in/known-devices";

/**
 * Name of the session cookie. Because of its prefix, browsers accept it only over a secure connection, for this host
 * alone and for all its paths: no other host or path can plant one (RFC 6265bis, 4.1.3.2).
 */
const SESSION_COOKIE = "__Host-stile";
/** Name of the cookie by which a browser is known from an earlier sign-in. It grants no access. */
export const DEVICE_COOKIE = "__Host-stile-device";

const ATTRIBUTES = "Path=/; Secure; HttpOnly";
const DAY_SECONDS = 86_400;

/** Match each cookie of that name in a Cookie header, with its value. */
const OWN_COOKIES = {
  session: /(?<=^|;)[ \t]*__Host-stile[ \t]*=([^;]*)/g,
  device: /(?<=^|;)[ \t]*__Host-stile-device[ \t]*=([^;]*)/g,
} as const;

/** The Set-Cookie value of a new session. It lasts as long as the browser's session; the service ends it sooner. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; SameSite=Lax`;
}

/** The Set-Cookie value that removes the session cookie. */
export function clearedCookie(): string {
  return `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}; SameSite=Lax`;
}

/** The Set-Cookie value that makes a browser known. Only the dashboard's own page needs it to sign in, hence Strict. */
export function deviceCookie(token: string): string {
  return `${DEVICE_COOKIE}=${token}; Max-Age=${DEVICE_DAYS * DAY_SECONDS}; ${ATTRIBUTES}; SameSite=Strict`;
}

/** The session token in a Cookie header; undefined if there are none or several: no browser sends our cookie twice. */
export function readSessionToken(header: string | undefined): string | undefined {
  return readCookie(header, OWN_COOKIES.session);
}

/** The device token in a Cookie header, by the same rules. */
export function readDeviceToken(header: string | undefined): string | undefined {
  return readCookie(header, OWN_COOKIES.device);
}

function readCookie(header: string | undefined, pattern: RegExp): string | undefined {
  const [first, second] = (header ?? "").matchAll(pattern);
  return second === undefined ? first?.[1]?.trim() || undefined : undefined;
}
