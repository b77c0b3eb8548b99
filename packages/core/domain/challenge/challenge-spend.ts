import type { Metric } from "../statistics/metrics.ts";

/** One attempt to spend a challenge whose solution is correct. */
export type ChallengeSpend = {
  readonly siteKey: string;
  readonly siteRevision: number;
  /** The 16 random bytes that identify the challenge. */
  readonly challengeId: Uint8Array;
  /**
   * When it was issued. A store that lost spent marks decides by this which challenges may be
   * affected.
   */
  readonly issuedAtMs: number;
  /**
   * When the challenge expires, from the challenge itself. Id and this time together identify a
   * spend.
   */
  readonly retainUntilMs: number;
  readonly nowMs: number;
  /** Counted in the same transaction when the challenge is spent. */
  readonly onSpent: readonly Metric[];
};

/** Result of the attempt; `site_changed` spends nothing. */
export type ChallengeSpendOutcome = "spent" | "already_spent" | "site_changed";
