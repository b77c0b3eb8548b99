/** A signed-in browser. Only the digest of its token is kept. */
export type Session = {
  readonly sessionId: string;
  /** SHA-256 of the cookie's token, base64url. */
  readonly tokenDigest: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  /** When the member last proved who it is (sign-in or step-up). */
  readonly provenAtMs: number;
  /** Browser and system in words. */
  readonly device: string;
};

/** Idle and absolute life of a session, and how long a proof counts as fresh, in ms. */
export const SESSION_MS = { idle: 30 * 60_000, absolute: 12 * 3_600_000, fresh: 10 * 60_000 } as const;

/** When a session ends unless it is used again: its idle or its absolute life, whichever ends first. */
export function sessionExpiresAtMs(session: Session): number {
  return Math.min(session.lastSeenAtMs + SESSION_MS.idle, session.createdAtMs + SESSION_MS.absolute);
}
