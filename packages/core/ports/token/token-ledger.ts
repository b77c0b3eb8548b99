import type {
  Redemption,
  RedemptionOutcome,
  SpentTokenKey,
} from "../../domain/token/single-use.ts";

/**
 * Single use of tokens. Each call is one atomic, durable step: revision check, single use, limit
 * and statistics succeed or fail together, before the promise resolves. Of all attempts on one
 * token id, from all nodes and across kill -9, at most one is `spent`. It rejects if the outcome is
 * unknown: the caller then answers 503 and never guesses (D3, single use; D15, outage). If spent
 * marks and statistics are in two engines, statistics follow within a second, and a process that
 * dies loses what it has not written. Simultaneous calls may share a transaction; that is up to the
 * engine (decision 0003, narrow ports).
 */
export interface TokenLedger {
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
  /**
   * Whether the token was spent; for POST /score, which reads tokens without spending them (D7,
   * score request).
   */
  isSpent(token: SpentTokenKey): Promise<boolean>;
}
