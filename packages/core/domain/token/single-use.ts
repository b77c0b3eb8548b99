/**
 * Single use: a token is redeemed once, and an exact repeat within 60 s gets the same answer (D2,
 * redemption; D3, single use). These rules run inside one transaction of any engine, so two callers
 * never both succeed.
 *
 * A spent token leaves a record: its id, when it was spent, and a digest of the call. The record is
 * kept for 60 s longer than the token is valid, and is then swept.
 *
 * Example: the site has revision 7 and may redeem 600 tokens a minute. A token expires at 12:05:00.
 * The customer's server sends it several times:
 *
 * - 12:01:00, key k1: revision 7 is the stored one, the minute has room, and there is no record.
 *   `spent`, with a record that is kept until 12:06:00.
 * - 12:01:40, key k1: the record has the same digest and is 40 s old. `repeated`, which gets the
 *   first answer and counts toward no limit.
 * - 12:01:50, key k2: the record has another digest. `already_used`.
 * - 12:02:30, key k1: the record is 90 s old. `already_used`.
 *
 * Two other cases spend nothing, so the token stays valid. If the owner revoked a key meanwhile,
 * the stored revision is 8: `site_changed`, and the caller reads the site and tries again. If 600
 * tokens were redeemed in this minute: `limited`.
 *
 * A clock that is set back revives no token. A sweep at 12:06:30 removes the record, and the clock
 * then returns to 12:04:00. The token has not expired and has no record. But its record would be
 * kept until 12:06:00, and the sweep got that far, so `insertSpentToken` refuses: `already_used`.
 */

import { REPEAT_SECONDS } from "@stile/protocol/limits";
import { isSame } from "../bytes.ts";
import type { ChallengeSpend, ChallengeSpendOutcome } from "../challenge/challenge-spend.ts";
import {
  checkRate,
  type Limited,
  type LimitState,
  minuteOf,
  type RateRequest,
} from "../rate-window.ts";
import type { Metric } from "../statistics/metrics.ts";

/**
 * Names a spent token by its site, its id, and until when it is remembered, which follows from the
 * token's expiry.
 */
export type SpentTokenKey = {
  readonly siteKey: string;
  /** The 12 bytes of the token's decoded id (D3, single use). */
  readonly tokenId: Uint8Array;
  /**
   * From this moment the sweep may remove it, since both the token and its exact repeat have
   * expired.
   */
  readonly retainUntilMs: number;
};

/** One attempt to spend a token. */
export type Redemption = SpentTokenKey & {
  /** The revision of the site that the caller checked against. */
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
   * key (D2, redemption).
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
  /** The site or its keys changed since they were read. Nothing was spent (D3, single use). */
  | { readonly kind: "site_changed" };

/** The stored record of a spent token. */
export type SpentToken = {
  readonly spentAtMs: number;
  readonly repeatDigest: Uint8Array | undefined;
};

/**
 * The reads and writes of one atomic step. All its writes succeed or fail together, and nobody else
 * writes while it is open; an engine that cannot promise this must not offer it.
 */
export interface Transaction {
  /** The revision of the site as stored; undefined if there is no such site. */
  findRevision(siteKey: string): number | undefined;
  /** Requests counted under the scope in that clock minute. */
  countOf(scope: string, minute: number): number;
  addRequest(scope: string, minute: number): void;
  /**
   * Adds to the statistics of the minute, hour and day of `atMs`; has no effect if the site does
   * not exist.
   */
  addCount(siteKey: string, metric: Metric, atMs: number, count: number): void;
  findSpentToken(key: SpentTokenKey): SpentToken | undefined;
  /**
   * Returns false, and writes nothing, if the token was spent, or may have been spent and swept.
   */
  insertSpentToken(redemption: Redemption): boolean;
  /**
   * Returns false, and writes nothing, if the challenge was spent, or may have been spent and
   * swept.
   */
  insertSpentChallenge(spend: ChallengeSpend): boolean;
}

/** Counts one request if the sliding window of D10 (limits) admits it. */
export function consumeRate(
  transaction: Transaction,
  { scope, perMinute, nowMs }: RateRequest,
): LimitState {
  const limit = checkScope(transaction, { scope, perMinute, nowMs });
  if (limit.isAdmitted) transaction.addRequest(scope, minuteOf(nowMs));
  return limit;
}

function checkScope(
  transaction: Transaction,
  { scope, perMinute, nowMs }: RateRequest,
): LimitState {
  const minute = minuteOf(nowMs);
  const window = {
    current: transaction.countOf(scope, minute),
    previous: transaction.countOf(scope, minute - 1),
  };
  return checkRate(window, perMinute, nowMs);
}

/** The scope under which a site's fresh redemptions are counted, in every engine. */
export const redeemedScope = (siteKey: string): string => `redeemed:${siteKey}`;

/**
 * Spends one token within a transaction, or returns why not (D2, redemption; D3, single use). The
 * result is the same as if it checked the revision, then whether the token was spent, then the
 * limit. It inserts first, because that saves a query in the usual case.
 */
export function applyRedemption(
  transaction: Transaction,
  redemption: Redemption,
): RedemptionOutcome {
  const { siteKey, nowMs, perMinute, isRepeatOnly } = redemption;
  if (transaction.findRevision(siteKey) !== redemption.siteRevision)
    return { kind: "site_changed" };
  const scope = redeemedScope(siteKey);
  const limit = checkScope(transaction, { scope, perMinute, nowMs });
  if (limit.isAdmitted && !isRepeatOnly && transaction.insertSpentToken(redemption)) {
    transaction.addRequest(scope, minuteOf(nowMs));
    for (const metric of redemption.onSpent) transaction.addCount(siteKey, metric, nowMs, 1);
    return { kind: "spent", atMs: nowMs, limit };
  }
  const spent = transaction.findSpentToken(redemption);
  if (spent !== undefined && isExactRepeat(spent, redemption))
    return { kind: "repeated", atMs: spent.spentAtMs };
  if (isRepeatOnly) return { kind: "not_repeated" };
  // Admitted and not found, yet not inserted: it may have been spent and swept.
  const isUsed = spent !== undefined || limit.isAdmitted;
  return isUsed ? countReplay(transaction, redemption) : { kind: "limited", limit };
}

function countReplay(
  transaction: Transaction,
  { siteKey, nowMs, onReplayed }: Redemption,
): RedemptionOutcome {
  for (const metric of onReplayed) transaction.addCount(siteKey, metric, nowMs, 1);
  return { kind: "already_used" };
}

/** Whether this is, within REPEAT_SECONDS, the very call that spent the token (D2, redemption). */
function isExactRepeat(spent: SpentToken, { repeatDigest, nowMs }: Redemption): boolean {
  if (spent.repeatDigest === undefined || repeatDigest === undefined) return false;
  return (
    nowMs - spent.spentAtMs < REPEAT_SECONDS * 1000 && isSame(spent.repeatDigest, repeatDigest)
  );
}

/** Spends one challenge within a transaction, or returns why not (D9, submission). */
export function applyChallengeSpend(
  transaction: Transaction,
  spend: ChallengeSpend,
): ChallengeSpendOutcome {
  if (transaction.findRevision(spend.siteKey) !== spend.siteRevision) return "site_changed";
  if (!transaction.insertSpentChallenge(spend)) return "already_spent";
  for (const metric of spend.onSpent) transaction.addCount(spend.siteKey, metric, spend.nowMs, 1);
  return "spent";
}

/** The frequent writes that are made together, by kind. */
export type Spends = {
  readonly redemptions: readonly Redemption[];
  readonly challenges: readonly ChallengeSpend[];
  readonly rates: readonly RateRequest[];
};

/** Their outcomes, in the same order. */
export type SpendOutcomes = {
  readonly redemptions: readonly RedemptionOutcome[];
  readonly challenges: readonly ChallengeSpendOutcome[];
  readonly rates: readonly LimitState[];
};

/** Makes them all within one transaction. */
export function applySpends(
  transaction: Transaction,
  { redemptions, challenges, rates }: Spends,
): SpendOutcomes {
  return {
    redemptions: redemptions.map((redemption) => applyRedemption(transaction, redemption)),
    challenges: challenges.map((spend) => applyChallengeSpend(transaction, spend)),
    rates: rates.map((request) => consumeRate(transaction, request)),
  };
}
