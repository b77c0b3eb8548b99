import { encodeBase64url } from "./base64url.ts";

/**
 * Wrong solutions that one challenge survives. Honest clients submit none, and each costs the
 * server some hashing.
 */
export const MAX_FAILURES_PER_CHALLENGE = 3;

/**
 * Counts wrong solutions per challenge, in the memory of this process only: losing the count costs
 * just a few hashes. An attacker who floods it with failures of other, validly signed challenges
 * gains at most three more tries at theirs.
 */
export type FailureCounter = {
  /**
   * Whether the challenge `id` has used up its failures. Its solutions are then refused without
   * hashing.
   */
  readonly isUsedUp: (id: Uint8Array) => boolean;
  /**
   * Counts a failure of `id`. The entry may be forgotten from `expiresAtMs` (epoch ms, the
   * challenge's expiry).
   */
  readonly recordFailure: (id: Uint8Array, expiresAtMs: number, nowMs: number) => void;
  /** Takes back one failure of `id` that was counted before the result of the check was known. */
  readonly takeBack: (id: Uint8Array) => void;
  /** How many challenges are remembered now, never more than `maxEntries`. */
  readonly size: () => number;
};

/**
 * An empty counter of at most `maxEntries` challenges, about 100 bytes each. The oldest entry makes
 * room.
 */
export function createFailureCounter(maxEntries: number): FailureCounter {
  const entries = new Map<string, { failures: number; readonly expiresAtMs: number }>();

  const makeRoom = (nowMs: number): void => {
    for (const [key, entry] of entries) {
      if (entry.expiresAtMs > nowMs && entries.size < maxEntries) return;
      entries.delete(key);
    }
  };

  return {
    isUsedUp: (id) =>
      (entries.get(encodeBase64url(id))?.failures ?? 0) >= MAX_FAILURES_PER_CHALLENGE,
    recordFailure: (id, expiresAtMs, nowMs) => {
      const key = encodeBase64url(id);
      const entry = entries.get(key);
      if (entry !== undefined) {
        entry.failures += 1;
        return;
      }
      makeRoom(nowMs);
      entries.set(key, { failures: 1, expiresAtMs });
    },
    takeBack: (id) => {
      const key = encodeBase64url(id);
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.failures -= 1;
      if (entry.failures === 0) entries.delete(key);
    },
    size: () => entries.size,
  };
}
