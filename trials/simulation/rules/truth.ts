import type {
  ChallengeSpend,
  ChallengeSpendOutcome,
} from "@stile/core/domain/challenge/challenge-spend";
import type { LimitState, RateRequest } from "@stile/core/domain/rate-window";
import type { Site } from "@stile/core/domain/site/site";
import type { SiteCount } from "@stile/core/domain/statistics/metrics";
import type { Redemption, RedemptionOutcome } from "@stile/core/domain/token/single-use";
import type { Effect } from "../service/faulty-store.ts";
import { Violation } from "../world/violation.ts";
import { createCounts } from "./counts.ts";
import { createRates } from "./rates.ts";

/** When something took effect: the step of the run, and true time. */
export type Moment = { readonly step: number; readonly trueMs: number };

/** The spending of a token or challenge, whether or not anybody got the answer. */
export type Spend = Moment & { readonly atMs: number };

type RowChange = Moment & { readonly row: Site | undefined };

/**
 * How long a process may decide by its last read of a site, true ms: a second by a clock that runs
 * at half speed, plus a call.
 */
const STALE_MS = 8_000;

const keyOf = (id: Uint8Array): string => Buffer.from(id).toString("hex");

/** The events in the store, recorded at the moment they happened, whatever answers callers got. */
export type Truth = ReturnType<typeof createTruth>;

const RESTORE_MS = 7 * 86_400_000;

/**
 * At first nothing has happened; `now` returns the moment, `trustedMs` by what time old data may be
 * removed. Throws Violation if an effect itself is forbidden.
 */
export function createTruth(now: () => Moment, trustedMs: () => number) {
  const tokenSpends = new Map<string, Spend>();
  const challengeSpends = new Map<string, Spend>();
  const limited = new Map<string, Moment>();
  const rows = new Map<string, RowChange[]>();
  const restores: Moment[] = [];
  const [counts, rates] = [createCounts(), createRates()];
  let newestMs = 0;

  const spendOnce = (
    spends: Map<string, Spend>,
    kind: string,
    id: Uint8Array,
    atMs: number,
  ): void => {
    const key = keyOf(id);
    const earlier = spends.get(key);
    if (earlier !== undefined)
      throw new Violation(`${kind} spent twice`, `first in step ${earlier.step}, and again`);
    spends.set(key, { ...now(), atMs });
  };

  const recordRow = (siteKey: string, row: Site | undefined): void => {
    const changes = rows.get(siteKey) ?? [];
    rows.set(siteKey, changes);
    changes.push({ ...now(), row });
  };

  const onRedeemed = (redemption: Redemption, outcome: RedemptionOutcome): void => {
    const { siteKey, tokenId, nowMs, perMinute } = redemption;
    if (outcome.kind === "spent") {
      const row = rows.get(siteKey)?.at(-1)?.row;
      if (!row?.isEnabled || row.deletedAtMs !== null)
        throw new Violation("spent for a dead or disabled site", siteKey);
      spendOnce(tokenSpends, "a token was", tokenId, nowMs);
      rates.admit(`redeemed:${siteKey}`, perMinute, nowMs);
      counts.add(siteKey, redemption.onSpent, nowMs);
    }
    if (outcome.kind === "limited") {
      rates.refuse(`redeemed:${siteKey}`, perMinute, nowMs);
      limited.set(keyOf(tokenId), now());
    }
    if (outcome.kind === "already_used") counts.add(siteKey, redemption.onReplayed, nowMs);
  };

  const onSpent = (spend: ChallengeSpend, outcome: ChallengeSpendOutcome): void => {
    if (outcome !== "spent") return;
    spendOnce(challengeSpends, "a challenge was", spend.challengeId, spend.nowMs);
    counts.add(spend.siteKey, spend.onSpent, spend.nowMs);
  };

  const onConsumed = (
    { scope, perMinute, nowMs }: RateRequest,
    { isAdmitted }: LimitState,
  ): void => {
    if (isAdmitted) rates.admit(scope, perMinute, nowMs);
    else rates.refuse(scope, perMinute, nowMs);
  };

  const onPurged = (deletedBeforeMs: number): void => {
    for (const [siteKey, changes] of rows) {
      const deletedAtMs = changes.at(-1)?.row?.deletedAtMs;
      if (typeof deletedAtMs !== "number" || deletedAtMs >= deletedBeforeMs) continue;
      if (deletedAtMs + RESTORE_MS > trustedMs())
        throw new Violation("a site was purged early", siteKey);
      recordRow(siteKey, undefined);
    }
  };

  const onEffect = ({ name, args: [first, second], result }: Effect): void => {
    if (name === "statistics.count") counts.addHeld(first as SiteCount);
    if (name === "tokens.redeem") onRedeemed(first as Redemption, result as RedemptionOutcome);
    if (name === "challenges.spend")
      onSpent(first as ChallengeSpend, result as ChallengeSpendOutcome);
    if (name === "limiter.consume") onConsumed(first as RateRequest, result as LimitState);
    if (name === "housekeeping.sweep") newestMs = Math.max(newestMs, first as number);
    if (name === "sites.purgeSites") onPurged(first as number);
    const isWritten =
      name === "sites.insertSite" || (name === "sites.replaceSite" && second !== undefined);
    if (isWritten && result === "stored") recordRow((first as Site).siteKey, first as Site);
  };

  const rowsDuring = (
    siteKey: string,
    from: Moment,
    staleMs = 0,
  ): readonly (Site | undefined)[] => {
    const changes = rows.get(siteKey) ?? [];
    const begins = changes.findLastIndex(
      ({ step, trueMs }) => step <= from.step && trueMs <= from.trueMs - staleMs,
    );
    return changes.slice(Math.max(begins, 0)).map(({ row }) => row);
  };

  return {
    onEffect,
    counts,
    rates,
    findTokenSpend: (id: string) => tokenSpends.get(id),
    findChallengeSpend: (id: string) => challengeSpends.get(id),
    wasLimitedSince: (id: string, { step }: Moment): boolean =>
      (limited.get(id)?.step ?? -1) >= step,
    /** The site's rows from that moment on; undefined means that it was gone. */
    rowsDuring: (siteKey: string, from: Moment) => rowsDuring(siteKey, from),
    /** The same, and also rows that a process may still have known then. */
    rowsKnown: (siteKey: string, from: Moment) => rowsDuring(siteKey, from, STALE_MS),
    currentRow: (siteKey: string) => rows.get(siteKey)?.at(-1)?.row,
    /** The newest time that a sweep recorded in the store. */
    newestMs: () => newestMs,
    siteKeys: () => [...rows.keys()],
    /**
     * Whether an older copy was restored after that moment; within a step, a kill is what comes
     * before it.
     */
    isRestoredSince: ({ step }: Moment): boolean => (restores.at(-1)?.step ?? -1) >= step,
    /**
     * The data are now an older copy, with the counts of that time; `rowOf` reads the sites in it.
     */
    recordRestore: async (
      kept: Kept,
      rowOf: (siteKey: string) => Promise<Site | undefined>,
    ): Promise<void> => {
      restores.push(now());
      newestMs = kept.newestMs;
      counts.putBack(kept.counts);
      rates.putBack(kept.rates);
      for (const siteKey of rows.keys()) recordRow(siteKey, await rowOf(siteKey));
    },
    keep: (): Kept => ({ newestMs, counts: counts.copy(), rates: rates.copy() }),
  };
}

/** The counts at the time of a copy. */
export type Kept = {
  readonly newestMs: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly rates: ReadonlyMap<string, number>;
};
