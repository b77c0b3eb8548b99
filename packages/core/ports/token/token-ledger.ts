import type { Limited, LimitState } from "../../domain/rate-window.ts";
import type { Metric } from "../../domain/statistics/metrics.ts";

/**
 * Names a spent token by its site, its id, and until when it is remembered, which follows from the
 * token's expiry.
 */
export type SpentTokenKey = {
  readonly siteKey: string;
  /** The 12 bytes of the token's decoded id (D3). */
  readonly tokenId: Uint8Array;
  /** From this moment it may be swept, since both the token and its exact repeat have expired. */
  readonly retainUntilMs: number;
};

/** One attempt to spend a token. */
export type Redemption = SpentTokenKey & {
  /** The revision of the site that the caller judged by. */
  readonly siteRevision: number;
  /**
   * When the token was issued, as sealed in it. An engine that may have lost earlier spent marks
   * decides by this.
   */
  readonly issuedAtMs: number;
  readonly nowMs: number;
  readonly perMinute: number;
  /**
   * Digest of everything an exact repeat must share; undefined if the caller sent no idempotency
   * key (D2).
   */
  readonly repeatDigest: Uint8Array | undefined;
  /**
   * True for an expired token: it cannot be spent, but an exact repeat of an earlier success gets
   * its answer.
   */
  readonly isRepeatOnly: boolean;
  /** Counted in the same transaction when the token is spent. */
  readonly onSpent: readonly Metric[];
  /** Counted in the same transaction when the answer is `already_used`. */
  readonly onReplayed: readonly Metric[];
};

/** The result of the attempt. */
export type RedemptionOutcome =
  /** This call spent the token, durably. */
  | { readonly kind: "spent"; readonly atMs: number; readonly limit: LimitState }
  /** This is an exact repeat of the call that spent the token, within REPEAT_SECONDS of it. */
  | { readonly kind: "repeated"; readonly atMs: number }
  | { readonly kind: "already_used" }
  /** With `isRepeatOnly`: no such call spent the token. Nothing was spent or counted. */
  | { readonly kind: "not_repeated" }
  /** Over the limit of fresh redemptions. Nothing was spent. */
  | Limited
  /** The site or its keys changed since they were read. Nothing was spent (D3). */
  | { readonly kind: "site_changed" };

/**
 * Single use of tokens. Each call is one atomic, durable step: revision check, single use, limit
 * and statistics succeed or fail together, before the promise resolves. Of all attempts on one
 * token id, from all nodes and across kill -9, at most one is `spent`. It rejects if the outcome is
 * unknown: the caller then answers 503 and never guesses (D3, D15). If spent marks and statistics
 * are in two engines, statistics follow within a second, and a process that dies loses what it has
 * not written. Simultaneous calls may share a transaction; that is up to the engine (decision
 * 0033).
 */
export interface TokenLedger {
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
  /**
   * Whether the token was spent; for POST /score, which reads tokens without spending them (D7).
   */
  isSpent(token: SpentTokenKey): Promise<boolean>;
}
