import type { Metric } from "../../domain/statistics/metrics.ts";

/** One attempt to spend a challenge whose solution was right. */
export type ChallengeSpend = {
  readonly siteKey: string;
  readonly siteRevision: number;
  /** The 16 random bytes of the challenge. */
  readonly challengeId: Uint8Array;
  /** Challenges live for different times; a store that lost what was spent tells by it which of them may be among that. */
  readonly issuedAtMs: number;
  /** The challenge's expiry, which it fixes itself: id and time together name what was spent. */
  readonly retainUntilMs: number;
  readonly nowMs: number;
  /** Counted in the same transaction when the challenge is spent. */
  readonly onSpent: readonly Metric[];
};

/** What became of the attempt; `site_changed` spends nothing. */
export type ChallengeSpendOutcome = "spent" | "already_spent" | "site_changed";

/** Single use of challenges, under the same promises as `TokenLedger` (D9). */
export interface ChallengeLedger {
  spend(spend: ChallengeSpend): Promise<ChallengeSpendOutcome>;
}
