import assert from "node:assert/strict";
import { after, test } from "node:test";
import { METRIC_KINDS, type Metric } from "@stile/core/domain/statistics/metrics";
import type { Store } from "@stile/core/ports/store";
import { RESOLUTIONS } from "@stile/protocol/dashboard-statistics";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import fc from "fast-check";
import { newAccount, newSite, redemptionOf, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

const SITES = [0, 1, 2].map((number) =>
  newSite({ siteKey: `pk_${number}`, name: `Site ${number}` }),
);
const DAY = 86_400_000;

/** One request to a store. There are few sites, ids and moments, so that requests collide. */
type SpendRequest =
  | {
      readonly kind: "redeem";
      readonly site: number;
      readonly revision: number;
      readonly token: number;
      readonly digest: number;
      readonly perMinute: number;
      readonly isRepeatOnly: boolean;
      readonly laterMs: number;
    }
  | {
      readonly kind: "spend";
      readonly site: number;
      readonly revision: number;
      readonly challenge: number;
      readonly name: number;
    }
  /** Challenges that each have a different name, more than a day has places for. */
  | { readonly kind: "flood"; readonly site: number; readonly from: number }
  | {
      readonly kind: "consume";
      readonly scope: number;
      readonly perMinute: number;
      readonly laterMs: number;
    };

const small = (max: number) => fc.nat({ max });
const laterMs = fc.constantFrom(0, 1, 30_000, 59_999, 60_000, 61_000, 119_999, 180_000);
const ask: fc.Arbitrary<SpendRequest> = fc.oneof(
  fc.record({
    kind: fc.constant("redeem" as const),
    site: small(3),
    revision: fc.constantFrom(1, 1, 1, 1, 2),
    token: small(12),
    digest: small(2),
    perMinute: fc.constantFrom(0, 1, 3, 5, 100),
    isRepeatOnly: fc.constantFrom(false, false, false, true),
    laterMs,
  }),
  fc.record({
    kind: fc.constant("spend" as const),
    site: small(3),
    revision: fc.constantFrom(1, 1, 1, 2),
    challenge: small(8),
    name: small(40),
  }),
  fc.record({ kind: fc.constant("flood" as const), site: small(1), from: small(40) }),
  fc.record({
    kind: fc.constant("consume" as const),
    scope: small(2),
    perMinute: small(4),
    laterMs,
  }),
);

/** The usual case: nothing is refused, unless the same was asked before. */
const plainAsk: fc.Arbitrary<SpendRequest> = fc.oneof(
  fc.record({
    kind: fc.constant("redeem" as const),
    site: small(2),
    revision: fc.constant(1),
    token: small(250),
    digest: small(2),
    perMinute: fc.constantFrom(4, 20, 100),
    isRepeatOnly: fc.constant(false),
    laterMs: fc.constantFrom(0, 1, 30_000, 59_999),
  }),
  fc.record({
    kind: fc.constant("spend" as const),
    site: small(2),
    revision: fc.constant(1),
    challenge: small(90),
    name: small(40),
  }),
  fc.record({
    kind: fc.constant("consume" as const),
    scope: small(2),
    perMinute: fc.constant(40),
    laterMs: small(99),
  }),
);

/** Requests made within one turn. Then there may be a sweep at that moment, and days pass. */
const roundOf = (one: fc.Arbitrary<SpendRequest>) =>
  fc.record({
    asks: fc.array(one, { minLength: 1, maxLength: 30 }),
    sweepAfterMs: fc.option(fc.constantFrom(0, 359_999, 360_005, 400_000), { nil: undefined }),
    daysPass: fc.constantFrom(0, 0, 1, 2),
  });
/**
 * Usual rounds, which are spent as a whole (`spend_all_1`), then others, which are spent one by
 * one.
 */
const sequence = fc
  .tuple(
    fc.array(roundOf(plainAsk), { maxLength: 2 }),
    fc.array(roundOf(ask), { minLength: 1, maxLength: 4 }),
  )
  .map(([usual, others]) => [...usual, ...others]);
type Round = { asks: readonly SpendRequest[]; sweepAfterMs: number | undefined; daysPass: number };

const bytes = (length: number, ...numbers: readonly number[]): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => numbers[at] ?? 0);
const siteOf = (number: number) => SITES[number] ?? newSite({ siteKey: "pk_unknown" });

const namesOf = (number: number): Metric[] => [
  `host:${number === 40 ? "www.example.com" : `h${number}.example`}`,
  `score:${number % 7 === 0 ? "" : `a${number}`}:0${number % 10}`,
];

async function answerTo(store: Store, asked: SpendRequest, startMs: number): Promise<unknown> {
  if (asked.kind === "consume") {
    const { scope, perMinute } = asked;
    return await store.limiter.consume({
      scope: `score:${scope}`,
      perMinute,
      nowMs: startMs + asked.laterMs,
    });
  }
  // As in production, an id belongs to one day and one site, and determines how long it is
  // remembered.
  const day = (startMs - T0) / DAY;
  if (asked.kind === "flood") {
    const { from } = asked;
    const spends = Array.from({ length: 25 }, (_, at) => {
      const ids = { challengeId: bytes(16, day, 100 + from, at), retainUntilMs: startMs + 300_100 };
      return spendOf(siteOf(asked.site), { ...ids, nowMs: startMs, onSpent: namesOf(from + at) });
    });
    return await Promise.all(spends.map((spend) => store.challenges.spend(spend)));
  }
  const site = { siteKey: siteOf(asked.site).siteKey, revision: asked.revision };
  if (asked.kind === "spend") {
    const onSpent: Metric[] = ["challenge_solved", ...namesOf(asked.name)];
    const retainUntilMs = startMs + 300_000 + asked.challenge;
    const challengeId = bytes(16, day, asked.challenge);
    return await store.challenges.spend(
      spendOf(site, { challengeId, retainUntilMs, nowMs: startMs, onSpent }),
    );
  }
  const { token, digest, perMinute, isRepeatOnly } = asked;
  return await store.tokens.redeem(
    redemptionOf(site, {
      tokenId: bytes(12, day, asked.site, token),
      retainUntilMs: startMs + 360_000 + token * 4 + asked.site,
      nowMs: startMs + asked.laterMs,
      perMinute,
      repeatDigest: digest === 0 ? undefined : bytes(32, digest),
      isRepeatOnly,
      // No names of visitors, because within a batch the names of redemptions would be counted
      // before those of challenges.
      onSpent: ["token_redeemed", `verified_score:0${token % 10}`],
    }),
  );
}

async function countsOf(store: Store): Promise<unknown> {
  const whole = { kinds: METRIC_KINDS, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const queries = SITES.flatMap(({ siteKey }) =>
    RESOLUTIONS.map((resolution) => ({ ...whole, siteKey, resolution })),
  );
  const series = [];
  for (const query of queries) {
    const sums = await store.statistics.readSums(query);
    const inOrder = sums.map(({ metric, count }) => `${metric} ${count}`).sort();
    series.push(await store.statistics.readSeries(query), inOrder);
  }
  return series;
}

async function seed(store: Store): Promise<void> {
  await store.sites.insertAccount(newAccount());
  for (const site of SITES) await store.sites.insertSite(site);
}

async function play(store: Store, rounds: readonly Round[]): Promise<unknown[]> {
  await seed(store);
  const answers: unknown[] = [];
  let startMs = T0;
  for (const { asks, sweepAfterMs, daysPass } of rounds) {
    answers.push(await Promise.all(asks.map((asked) => answerTo(store, asked, startMs))));
    if (sweepAfterMs !== undefined)
      answers.push(await store.housekeeping.sweep(startMs + sweepAfterMs));
    startMs += daysPass * DAY;
  }
  answers.push(await countsOf(store));
  return answers;
}

test("answers and counts by the rules whatever is redeemed, spent and limited, in any order (D2, redemption; D3, single use; D9, submission; D10, limits)", async () => {
  const property = fc.asyncProperty(sequence, async (rounds) => {
    const store = await postgres.open(await postgres.emptyDatabase());
    try {
      const [is, mustBe] = [await play(store, rounds), await play(createMemoryStore(), rounds)];
      assert.deepEqual(is, mustBe);
    } finally {
      await store.close();
    }
  });
  await fc.assert(property, { numRuns: Number(process.env.STILE_PROPERTY_RUNS ?? 30) });
});

/**
 * How often some names come on each of eight days. Names and counts are few, so that they tie, and
 * some counts are large.
 */
const weeks = fc.array(
  fc.array(fc.tuple(small(30), fc.constantFrom(1, 1, 2, 7, 1_000)), {
    minLength: 10,
    maxLength: 40,
  }),
  {
    minLength: 8,
    maxLength: 8,
  },
);

test("reserves the places of a day by the rules, whatever names the days before had", async () => {
  const property = fc.asyncProperty(weeks, async (days) => {
    const store = await postgres.open(await postgres.emptyDatabase());
    const { siteKey } = siteOf(0);
    const sumsOf = (day: number, names: readonly (readonly [number, number])[]) =>
      names.flatMap(([name, count]) => {
        return namesOf(name).map((metric) => ({ siteKey, metric, atMs: T0 + day * DAY, count }));
      });
    const fill = async (other: Store): Promise<unknown> => {
      await seed(other);
      for (const [day, names] of days.entries()) await other.statistics.add(sumsOf(day, names));
      await other.statistics.add(
        sumsOf(
          8,
          Array.from({ length: 60 }, (_, at) => [100 + at, 1]),
        ),
      );
      await other.statistics.add(
        sumsOf(
          8,
          Array.from({ length: 31 }, (_, at) => [at, 1]),
        ),
      );
      return await countsOf(other);
    };
    try {
      assert.deepEqual(await fill(store), await fill(createMemoryStore()));
    } finally {
      await store.close();
    }
  });
  await fc.assert(property, { numRuns: Number(process.env.STILE_PROPERTY_RUNS ?? 10) });
});
