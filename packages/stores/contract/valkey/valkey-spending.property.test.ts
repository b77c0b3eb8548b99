import assert from "node:assert/strict";
import { after, test } from "node:test";
import { METRIC_KINDS } from "@stile/core/domain/statistics/metrics";
import type { Store } from "@stile/core/ports/store";
import fc from "fast-check";
import { createMemoryStore } from "../../memory/memory-store.ts";
import { newAccount, newSite, redemptionOf, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryValkey } from "./temporary-valkey.ts";

const engines = await startTemporaryValkey();
after(engines.stop);

const SITES = [0, 1, 2].map((number) => newSite({ siteKey: `pk_${number}`, name: `Site ${number}` }));
const DAY = 86_400_000;
const SECOND = 1_000;

/** One request to a store, of any kind. There are few sites, ids and moments, so that requests collide. */
type Ask = {
  readonly kind: "redeem" | "spend" | "consume";
  readonly site: number;
  readonly revision: number;
  readonly id: number;
  readonly digest: number;
  readonly perMinute: number;
  readonly isRepeatOnly: boolean;
  readonly laterMs: number;
};

const small = (max: number) => fc.nat({ max });
const ask: fc.Arbitrary<Ask> = fc.record({
  kind: fc.constantFrom("redeem", "redeem", "spend", "consume"),
  site: small(3),
  revision: fc.constantFrom(1, 1, 1, 1, 2),
  id: small(12),
  digest: small(2),
  perMinute: fc.constantFrom(0, 1, 3, 5, 100),
  isRepeatOnly: fc.constantFrom(false, false, false, true),
  laterMs: fc.constantFrom(0, 1, 30_000, 59_999, 60_000, 61_000, 119_999, 180_000),
});

/** Requests made within one turn; then, perhaps, a sweep at that moment, and days pass. */
const round = fc.record({
  asks: fc.array(ask, { minLength: 1, maxLength: 30 }),
  sweepAfterMs: fc.option(fc.constantFrom(0, 359_999, 361_000, 365_000, 400_000), { nil: undefined }),
  daysPass: fc.constantFrom(0, 0, 1, 2),
});
type Round = { asks: readonly Ask[]; sweepAfterMs: number | undefined; daysPass: number };

const bytes = (length: number, ...numbers: readonly number[]): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => numbers[at] ?? 0);

async function answerTo(store: Store, asked: Ask, startMs: number, sweptMs: number): Promise<unknown> {
  const { id, digest, perMinute, isRepeatOnly } = asked;
  // Looks only at minutes of limits that no sweep removes: Valkey removes those in its own time.
  const nowMs = Math.max(startMs, sweptMs) + asked.laterMs;
  if (asked.kind === "consume") {
    return await store.limiter.consume({ scope: `score:${asked.site}`, perMinute, nowMs });
  }
  const site = { siteKey: SITES[asked.site]?.siteKey ?? "pk_unknown", revision: asked.revision };
  // As in production, an id belongs to one day and one site, and determines until when it is remembered.
  const day = (startMs - T0) / DAY;
  // Whole seconds: Valkey sweeps a second of marks at a time.
  const retainUntilMs = startMs + 360_000 + id * SECOND;
  if (asked.kind === "spend") {
    const challengeId = bytes(16, day, asked.site, id);
    return await store.challenges.spend(spendOf(site, { challengeId, retainUntilMs, nowMs }));
  }
  const over = { tokenId: bytes(12, day, asked.site, id), issuedAtMs: startMs, retainUntilMs, nowMs, perMinute };
  const repeatDigest = digest === 0 ? undefined : bytes(32, digest);
  return await store.tokens.redeem(redemptionOf(site, { ...over, isRepeatOnly, repeatDigest }));
}

/** The store of each site: one for all, or one each, since in Valkey a sweep of one site says nothing of another. */
type Stores = readonly Store[];

async function countsOf(stores: Stores): Promise<unknown> {
  const query = { kinds: METRIC_KINDS, resolution: "minute" as const, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const series = [];
  for (const [at, { siteKey }] of SITES.entries()) {
    series.push(await stores[at]?.statistics.readSeries({ ...query, siteKey }));
  }
  return series;
}

async function play(stores: Stores, rounds: readonly Round[]): Promise<unknown[]> {
  for (const store of new Set(stores)) {
    await store.sites.insertAccount(newAccount());
    for (const site of SITES) await store.sites.insertSite(site);
  }
  const answers: unknown[] = [];
  let startMs = T0;
  let sweptMs = 0;
  for (const { asks, sweepAfterMs, daysPass } of rounds) {
    answers.push(
      await Promise.all(asks.map((asked) => answerTo(stores[asked.site] as Store, asked, startMs, sweptMs))),
    );
    if (sweepAfterMs !== undefined) {
      sweptMs = Math.max(sweptMs, startMs + sweepAfterMs);
      let swept = 0;
      for (const store of new Set(stores)) swept += await store.housekeeping.sweep(sweptMs);
      answers.push(swept);
    }
    startMs += daysPass * DAY;
  }
  answers.push(await countsOf(stores));
  return answers;
}

test("whatever is redeemed, spent and limited in whatever order, Valkey answers and counts as the rules say (D2, D3, D9, D10)", async () => {
  const property = fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
    const store = await engines.open(await engines.empty());
    try {
      const is = await play(Array(4).fill(store), rounds);
      const mustBe = await play(
        Array.from({ length: 4 }, () => createMemoryStore()),
        rounds,
      );
      assert.deepEqual(is, mustBe);
    } finally {
      await store.close();
    }
  });
  await fc.assert(property, { numRuns: Number(process.env.STILE_PROPERTY_RUNS ?? 40) });
});
