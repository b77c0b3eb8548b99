/**
 * Name of the session's cookie. Its prefix makes browsers take it only over a trustworthy connection, for this host alone
 * and for all its paths: no other host or path can plant one (RFC 6265bis, 4.1.3.2).
 */
export const SESSION_COOKIE = "__Host-stile";

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** The Set-Cookie text of a new session. It goes with the browser's own session; the service ends it sooner. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`;
}

/** The Set-Cookie text that takes the cookie away. */
export function clearedCookie(): string {
  return `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`;
}

/** The session token of a Cookie header; undefined without one, or with several, of which no browser's would be ours. */
export function readSessionToken(header: string | undefined): string | undefined {
  const values = (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === SESSION_COOKIE ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}
