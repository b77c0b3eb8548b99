import type { LimitState } from "../../domain/rate-window.ts";
import type { Metric } from "../../domain/statistics/metrics.ts";

/** Names a spent token: its site, its id, and until when it is remembered, which the token's own expiry fixes. */
export type SpentTokenKey = {
  readonly siteKey: string;
  /** The 12 bytes of the token's decoded id (D3). */
  readonly tokenId: Uint8Array;
  /** From then on it may be swept, since the token has expired and its repeat is over. */
  readonly retainUntilMs: number;
};

/** One attempt to spend a token. */
export type Redemption = SpentTokenKey & {
  /** Revision of the site the caller judged by. */
  readonly siteRevision: number;
  /** When the token was issued, by its own seal; an engine that may have forgotten what was spent before a moment tells by it. */
  readonly issuedAtMs: number;
  readonly nowMs: number;
  readonly perMinute: number;
  /** Digest over everything an exact repeat must share; undefined if the caller gave no idempotency key (D2). */
  readonly repeatDigest: Uint8Array | undefined;
  /** True for an expired token: only an exact repeat of an earlier success is answered, nothing is spent. */
  readonly isRepeatOnly: boolean;
  /** Counted in the same transaction when the token is spent. */
  readonly onSpent: readonly Metric[];
  /** Counted in the same transaction when the answer is `already_used`. */
  readonly onReplayed: readonly Metric[];
};

/** What became of the attempt. */
export type RedemptionOutcome =
  /** This call spent the token, durably. */
  | { readonly kind: "spent"; readonly atMs: number; readonly limit: LimitState }
  /** The same call as the one that spent it, within REPEAT_SECONDS of it. */
  | { readonly kind: "repeated"; readonly atMs: number }
  | { readonly kind: "already_used" }
  /** `isRepeatOnly`, and no such call spent it; nothing was spent or counted. */
  | { readonly kind: "not_repeated" }
  /** Over the limit of fresh redemptions; nothing was spent. */
  | { readonly kind: "limited"; readonly limit: LimitState }
  /** Site or keys changed since they were read; nothing was spent (D3). */
  | { readonly kind: "site_changed" };

/**
 * Single use of tokens. One call is one atomic, durable step: revision check, single use, limit and
 * statistics stand or fall together, before the promise resolves. Of any number of attempts on one token id, from any
 * number of nodes, across kill -9, at most one is `spent`. Rejects if the outcome is unknown: the caller answers 503 and
 * never guesses (D3, D15). Where marks and statistics lie in two engines, statistics follow within a second, and a process that dies
 * loses what it has not written yet. Calls that come together may share a transaction; that is the engine's affair (decision 0033).
 */
export interface TokenLedger {
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
  /** Whether the token has been spent; for POST /score, which reads without spending (D7). */
  isSpent(token: SpentTokenKey): Promise<boolean>;
}
