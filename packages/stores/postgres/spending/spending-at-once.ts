/**
 * Packs a batch for `spend_all_1`, which spends all of it with set operations, or nothing.
 *
 * Example: at 12:00:20 a batch has 300 redemptions on site A, limited to 6,000 a minute, and 50
 * calls of a rate limit. Its items share one revision per site and one minute per scope, so it has
 * two entries in `limits`: 300 and 50 requests. The database answers [[120, 900], [7, 30]], which
 * means 120 redemptions in this minute and 900 in the minute before. `unpackAtOnce` gives the first
 * redemption the count 120, the next 121, and so on, as if each had been spent alone. If a token of
 * the batch was already spent, the database answers null, and the whole batch goes to `spend_1`
 * (`spending-batch.ts`).
 */

import { checkRate, MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { Metric } from "@stile/core/domain/statistics/metrics";
import { startOfPeriod } from "@stile/core/domain/statistics/periods";
import {
  redeemedScope,
  type SpendOutcomes,
  type Spends,
} from "@stile/core/domain/token/single-use";
import { createMetricNumbering, toHex, windowsOf } from "./spending-batch.ts";

/**
 * A batch's use of one limit: `most` is the smallest limit per minute, `elapsed` the earliest time
 * within the minute, ms.
 */
type LimitUse = { scope: string; minute: number; most: number; elapsed: number; asked: number };

/**
 * A batch's use of sites and limits; undefined if its items differ in revision or minute, so that
 * one question cannot cover all.
 */
type Uses = {
  readonly revisions: ReadonlyMap<string, number>;
  readonly limits: ReadonlyMap<string, LimitUse>;
};

function useLimit(
  limits: Map<string, LimitUse>,
  scope: string,
  perMinute: number,
  nowMs: number,
): boolean {
  const [minute, elapsed] = [minuteOf(nowMs), nowMs % MINUTE_MS];
  const use = limits.get(scope);
  if (use === undefined) {
    limits.set(scope, { scope, minute, most: perMinute, elapsed, asked: 1 });
    return true;
  }
  use.asked += 1;
  use.most = Math.min(use.most, perMinute);
  use.elapsed = Math.min(use.elapsed, elapsed);
  return use.minute === minute;
}

function usesOf({ redemptions, challenges, rates }: Spends): Uses | undefined {
  const revisions = new Map<string, number>();
  const limits = new Map<string, LimitUse>();
  const isOneRevision = (siteKey: string, revision: number): boolean => {
    const known = revisions.get(siteKey);
    if (known === undefined) revisions.set(siteKey, revision);
    return known === undefined || known === revision;
  };
  const isUniform =
    redemptions.every(
      (redemption) =>
        !redemption.isRepeatOnly &&
        isOneRevision(redemption.siteKey, redemption.siteRevision) &&
        useLimit(limits, redeemedScope(redemption.siteKey), redemption.perMinute, redemption.nowMs),
    ) &&
    challenges.every(({ siteKey, siteRevision }) => isOneRevision(siteKey, siteRevision)) &&
    rates.every(({ scope, perMinute, nowMs }) => useLimit(limits, scope, perMinute, nowMs));
  return isUniform ? { revisions, limits } : undefined;
}

/** The counts to add if everything is spent, in the form that `count_1` takes. */
function countsOf({ redemptions, challenges }: Spends) {
  const numbering = createMetricNumbering();
  const sums = new Map<string, { site: string; metric: number; start: number; count: number }>();
  const add = (site: string, metric: Metric, start: number): void => {
    const number = numbering.numberOf(metric);
    const key = `${start} ${number} ${site}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { site, metric: number, start, count: 1 });
    else sum.count += 1;
  };
  for (const { siteKey, nowMs, onSpent } of [...redemptions, ...challenges]) {
    const start = startOfPeriod("minute", nowMs);
    for (const metric of onSpent) add(siteKey, metric, start);
  }
  return { counted: [...sums.values()], metrics: numbering.rows() };
}

/** An array in PostgreSQL's syntax, from texts that need no quotes. */
const arrayOf = (elements: readonly (string | number)[]): string => `{${elements.join(",")}}`;

/**
 * The parameters of `spend_all_1` except the generation; undefined if the function cannot take this
 * batch.
 */
export function packAtOnce(spends: Spends): readonly [string, ...string[]] | undefined {
  const uses = usesOf(spends);
  if (uses === undefined) return undefined;
  const { redemptions, challenges } = spends;
  const batch = {
    windows: windowsOf(spends),
    sites: [...uses.revisions].map(([site, revision]) => ({ site, revision })),
    limits: [...uses.limits.values()],
    ...countsOf(spends),
  };
  return [
    JSON.stringify(batch),
    arrayOf(redemptions.map(({ tokenId }) => toHex(tokenId))),
    arrayOf(redemptions.map(({ retainUntilMs }) => retainUntilMs)),
    arrayOf(redemptions.map(({ nowMs }) => nowMs)),
    arrayOf(
      redemptions.map(({ repeatDigest }) =>
        repeatDigest === undefined ? "NULL" : toHex(repeatDigest),
      ),
    ),
    arrayOf(challenges.map(({ challengeId }) => toHex(challengeId))),
    arrayOf(challenges.map(({ retainUntilMs }) => retainUntilMs)),
  ];
}

/** The counts of this minute and of the one before, for each limit in the order of the batch. */
export type AtOnceAnswer = readonly (readonly [current: number, previous: number])[];

/** The outcomes of a batch that was spent as a whole. */
export function unpackAtOnce(
  { redemptions, challenges, rates }: Spends,
  answer: AtOnceAnswer,
): SpendOutcomes {
  const scopes = new Set([
    ...redemptions.map(({ siteKey }) => redeemedScope(siteKey)),
    ...rates.map(({ scope }) => scope),
  ]);
  const windows = new Map<string, { current: number; readonly previous: number }>();
  for (const [at, scope] of [...scopes].entries()) {
    const counts = answer[at];
    if (counts === undefined) throw new Error("the database returned no answer for a limit");
    windows.set(scope, { current: counts[0], previous: counts[1] });
  }
  const admit = (scope: string, perMinute: number, nowMs: number) => {
    const window = windows.get(scope);
    if (window === undefined) throw new Error("the database returned no answer for a limit");
    const limit = checkRate(window, perMinute, nowMs);
    window.current += 1;
    return limit;
  };
  return {
    redemptions: redemptions.map(({ siteKey, perMinute, nowMs }) => {
      return { kind: "spent", atMs: nowMs, limit: admit(redeemedScope(siteKey), perMinute, nowMs) };
    }),
    challenges: challenges.map(() => "spent"),
    rates: rates.map(({ scope, perMinute, nowMs }) => admit(scope, perMinute, nowMs)),
  };
}
