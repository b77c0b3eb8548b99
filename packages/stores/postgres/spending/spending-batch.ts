import type { ChallengeSpendOutcome } from "@stile/core/domain/challenge/challenge-spend";
import { checkRate, minuteOf } from "@stile/core/domain/rate-window";
import type { Metric } from "@stile/core/domain/statistics/metrics";
import { OTHER_NAME, splitMetric } from "@stile/core/domain/statistics/metrics";
import type { Redemption, RedemptionOutcome } from "@stile/core/domain/token/single-use";
import {
  redeemedScope,
  type SpendOutcomes,
  type Spends,
} from "@stile/core/domain/token/single-use";

/**
 * A metric for the database. `chosen` is the part of its name that the visitor chose, which may
 * become `other`; null if there is no such part.
 */
type MetricRow = {
  readonly kind: string;
  readonly name: string;
  readonly chosen: string | null;
  readonly rest: string;
};

function toMetricRow(metric: Metric): MetricRow {
  const { kind, name } = splitMetric(metric);
  // Splits names like `cardinality-limit.ts`: visitors choose all of a host, and of a score only
  // the action before the colon.
  const colon = kind === "score" ? name.lastIndexOf(":") : name.length;
  const chosen = name.slice(0, colon);
  const isChosen = (kind === "host" || kind === "score") && chosen !== "" && chosen !== OTHER_NAME;
  return { kind, name, chosen: isChosen ? chosen : null, rest: isChosen ? name.slice(colon) : "" };
}

/** Values that many items share. Each is sent once, and items refer to it by its number. */
function createNumbering<Thing>(keyOf: (thing: Thing) => string) {
  const numbers = new Map<string, number>();
  const things: Thing[] = [];
  return {
    things,
    numberOf: (thing: Thing): number => {
      const key = keyOf(thing);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, things.length);
      return things.push(thing) - 1;
    },
  };
}

/** The metrics of a call of `count_1`, and the number by which the call refers to each. */
export function createMetricNumbering() {
  const { things, numberOf } = createNumbering<Metric>(String);
  return { numberOf, rows: (): readonly MetricRow[] => things.map(toMetricRow) };
}

/** Bytes in the form that `spend_1` and `spend_all_1` take. */
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");

type ScopeMinute = { readonly scope: string; readonly minute: number };

/** The minutes to lock, each once: limits are checked against these and counted in them. */
export function windowsOf({ redemptions, rates }: Spends): readonly ScopeMinute[] {
  const windows = new Map<string, ScopeMinute>();
  const add = (scope: string, nowMs: number): void => {
    for (const minute of [minuteOf(nowMs) - 1, minuteOf(nowMs)])
      windows.set(`${minute} ${scope}`, { scope, minute });
  };
  for (const { siteKey, nowMs } of redemptions) add(redeemedScope(siteKey), nowMs);
  for (const { scope, nowMs } of rates) add(scope, nowMs);
  return [...windows.values()];
}

/** The spends as JSON for `spend_1`. */
export function packBatch(spends: Spends): string {
  const metrics = createMetricNumbering();
  const sets = createNumbering<readonly Metric[]>((set) => set.join("\n"));
  const redemptions = spends.redemptions.map((one) => ({
    site: one.siteKey,
    revision: one.siteRevision,
    id: toHex(one.tokenId),
    until: one.retainUntilMs,
    now: one.nowMs,
    most: one.perMinute,
    digest: one.repeatDigest === undefined ? null : toHex(one.repeatDigest),
    repeat: one.isRepeatOnly,
    spent: sets.numberOf(one.onSpent),
    replayed: sets.numberOf(one.onReplayed),
  }));
  const challenges = spends.challenges.map((one) => ({
    site: one.siteKey,
    revision: one.siteRevision,
    id: toHex(one.challengeId),
    until: one.retainUntilMs,
    now: one.nowMs,
    spent: sets.numberOf(one.onSpent),
  }));
  const rates = spends.rates.map(({ scope, perMinute, nowMs }) => ({
    scope,
    most: perMinute,
    now: nowMs,
  }));
  const numbered = sets.things.map((set) => set.map(metrics.numberOf));
  const windows = windowsOf(spends);
  return JSON.stringify({
    windows,
    redemptions,
    challenges,
    rates,
    sets: numbered,
    metrics: metrics.rows(),
  });
}

/**
 * The answer of `spend_1`: a number for each item, and the counts by which it checked the limits.
 */
export type BatchAnswer = {
  readonly kinds: readonly number[];
  readonly times: readonly number[];
  readonly now: readonly number[];
  readonly before: readonly number[];
  readonly challenges: readonly number[];
  readonly ratesNow: readonly number[];
  readonly ratesBefore: readonly number[];
};

/** Outcomes by their numbers in `postgres-spending-functions.ts`. */
const KINDS = [
  "spent",
  "repeated",
  "already_used",
  "not_repeated",
  "limited",
  "site_changed",
] as const;
const CHALLENGE_KINDS: Readonly<Record<number, ChallengeSpendOutcome>> = {
  0: "spent",
  2: "already_spent",
  5: "site_changed",
};

function missing(): never {
  throw new Error("the database returned no outcome for a spend");
}

function toOutcome(
  { perMinute, nowMs }: Redemption,
  answer: BatchAnswer,
  at: number,
): RedemptionOutcome {
  const kind = KINDS[answer.kinds[at] ?? missing()] ?? missing();
  const atMs = answer.times[at] ?? missing();
  if (kind === "repeated") return { kind, atMs };
  if (kind !== "spent" && kind !== "limited") return { kind };
  const window = { current: answer.now[at] ?? missing(), previous: answer.before[at] ?? missing() };
  const limit = checkRate(window, perMinute, nowMs);
  return kind === "spent" ? { kind, atMs, limit } : { kind, limit };
}

/** The outcomes of these spends, in order, from the answer. */
export function unpackAnswer(
  { redemptions, challenges, rates }: Spends,
  answer: BatchAnswer,
): SpendOutcomes {
  return {
    redemptions: redemptions.map((redemption, at) => toOutcome(redemption, answer, at)),
    challenges: challenges.map(
      (_, at) => CHALLENGE_KINDS[answer.challenges[at] ?? missing()] ?? missing(),
    ),
    rates: rates.map(({ perMinute, nowMs }, at) => {
      const window = {
        current: answer.ratesNow[at] ?? missing(),
        previous: answer.ratesBefore[at] ?? missing(),
      };
      return checkRate(window, perMinute, nowMs);
    }),
  };
}
