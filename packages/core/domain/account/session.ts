/** A signed-in browser. Only the digest of its token is kept. */
export type Session = {
  readonly sessionId: string;
  /** SHA-256 of the cookie's token, base64url. */
  readonly tokenDigest: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  /** When the member last proved who they are (at sign-in or later). */
  readonly provenAtMs: number;
  /** Browser and operating system in words. */
  readonly device: string;
};

/**
 * In ms: how long a session lives unused and at most, and how long a proof of identity counts as
 * fresh.
 */
export const SESSION_MS = {
  idle: 30 * 60_000,
  absolute: 12 * 3_600_000,
  fresh: 10 * 60_000,
} as const;

/**
 * When a session ends unless it is used again: at the end of its idle or its absolute life,
 * whichever is first.
 */
export function sessionExpiresAtMs(session: Session): number {
  return Math.min(
    session.lastSeenAtMs + SESSION_MS.idle,
    session.createdAtMs + SESSION_MS.absolute,
  );
}
