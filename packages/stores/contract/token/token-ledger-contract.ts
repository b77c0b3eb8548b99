import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Redemption, RedemptionOutcome } from "@stile/core/domain/token/single-use";
import type { Store } from "@stile/core/ports/store";
import {
  type Guarantee,
  readMinutes,
  redeemAll,
  redemptionOf,
  seedSite,
  T0,
} from "../contract-fixtures.ts";

function redeem(store: Store, redemption: Redemption): Promise<RedemptionOutcome> {
  return store.tokens.redeem(redemption);
}

function countKinds(outcomes: readonly RedemptionOutcome[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { kind } of outcomes) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}

async function redeemedInStatistics(store: Store, siteKey: string): Promise<number> {
  const minutes = await readMinutes(store, siteKey);
  return minutes.reduce(
    (sum, { metric, count }) => (metric === "token_redeemed" ? sum + count : sum),
    0,
  );
}

/**
 * Guarantees for simultaneous calls. A store that reads, waits and then writes breaks each of them.
 */
export const TOKEN_RACES: readonly Guarantee[] = [
  {
    name: "spends a token exactly once in 100 simultaneous redemptions, and counts one (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => redeem(store, redemption)),
      );
      assert.deepEqual(countKinds(outcomes), { spent: 1, already_used: 99 });
      assert.equal(await redeemedInStatistics(store, site.siteKey), 1);
    },
  },
  {
    name: "spends a token exactly once when ten callers redeem it ten times at once (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const batch = Array.from({ length: 10 }, () =>
        redemptionOf(site, { tokenId: new Uint8Array(12).fill(7) }),
      );
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => redeemAll(store, batch)));
      assert.deepEqual(countKinds(outcomes.flat()), { spent: 1, already_used: 99 });
    },
  },
  {
    name: "spends a token exactly once in 100 redemptions over several turns of the event loop (D3, single use)",
    check: async (store) => {
      const redemption = redemptionOf(await seedSite(store));
      const late = async (turns: number): Promise<RedemptionOutcome> => {
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        return await redeem(store, redemption);
      };
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) => late(index % 10)),
      );
      assert.deepEqual(countKinds(outcomes), { spent: 1, already_used: 99 });
    },
  },
  {
    name: "spends exactly as many of 100 simultaneous tokens as the limit admits (D2, redemption; D10, limits)",
    check: async (store) => {
      const site = await seedSite(store);
      const attempts = Array.from({ length: 100 }, () =>
        redeem(store, redemptionOf(site, { perMinute: 30 })),
      );
      assert.deepEqual(countKinds(await Promise.all(attempts)), { spent: 30, limited: 70 });
      assert.equal(await redeemedInStatistics(store, site.siteKey), 30);
    },
  },
];

const SINGLE_USE: readonly Guarantee[] = [
  {
    name: "lets the first attempt on a token win within one turn, and keeps the order of outcomes (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const [first, second] = [redemptionOf(site), redemptionOf(site)];
      const outcomes = await redeemAll(store, [first, first, second, first]);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ["spent", "already_used", "spent", "already_used"],
      );
    },
  },
  {
    name: "keeps a spent token spent at any later time until it is swept (D3, single use)",
    check: async (store) => {
      const redemption = redemptionOf(await seedSite(store));
      assert.equal((await redeem(store, redemption)).kind, "spent");
      for (const laterMs of [1, 60_000, 359_999, 86_400_000]) {
        assert.equal(
          (await redeem(store, { ...redemption, nowMs: T0 + laterMs })).kind,
          "already_used",
        );
      }
    },
  },
  {
    name: "distinguishes tokens by all twelve bytes of the id (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const id = randomBytes(12);
      const ids = [
        id,
        ...Array.from(id, (byte, at) => Uint8Array.from(id).fill(byte ^ 1, at, at + 1)),
      ];
      const outcomes = await redeemAll(
        store,
        ids.map((tokenId) => redemptionOf(site, { tokenId })),
      );
      assert.deepEqual(countKinds(outcomes), { spent: 13 });
    },
  },
  {
    name: "reads whether a token is spent without spending it (D7, score request)",
    check: async (store) => {
      const redemption = redemptionOf(await seedSite(store));
      assert.equal(await store.tokens.isSpent(redemption), false);
      assert.equal(await store.tokens.isSpent(redemption), false);
      assert.equal((await redeem(store, redemption)).kind, "spent");
      assert.equal(await store.tokens.isSpent(redemption), true);
    },
  },
];

const REPEATS: readonly Guarantee[] = [
  {
    name: "repeats a success for 59.999 s with its original time, and no longer at 60 s (D2, redemption)",
    check: async (store) => {
      const redemption = redemptionOf(await seedSite(store), { repeatDigest: randomBytes(32) });
      assert.equal((await redeem(store, redemption)).kind, "spent");
      const at = (laterMs: number) => redeem(store, { ...redemption, nowMs: T0 + laterMs });
      assert.deepEqual(await at(0), { kind: "repeated", atMs: T0 });
      assert.deepEqual(await at(59_999), { kind: "repeated", atMs: T0 });
      assert.deepEqual(await at(60_000), { kind: "already_used" });
    },
  },
  {
    name: "repeats nothing for another digest, without one, or if the first call had none (D2, redemption)",
    check: async (store) => {
      const site = await seedSite(store);
      const keyed = redemptionOf(site, { repeatDigest: randomBytes(32) });
      const unkeyed = redemptionOf(site);
      await redeemAll(store, [keyed, unkeyed]);
      const outcomes = await redeemAll(store, [
        { ...keyed, repeatDigest: randomBytes(32) },
        { ...keyed, repeatDigest: keyed.repeatDigest?.subarray(0, 31) },
        { ...keyed, repeatDigest: undefined },
        { ...unkeyed, repeatDigest: randomBytes(32) },
      ]);
      assert.deepEqual(countKinds(outcomes), { already_used: 4 });
    },
  },
  {
    name: "takes nothing from the limit for a repeat, and counts nothing (D2, redemption)",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site, { repeatDigest: randomBytes(32), perMinute: 2 });
      assert.equal((await redeem(store, redemption)).kind, "spent");
      for (let call = 0; call < 5; call++)
        assert.equal((await redeem(store, redemption)).kind, "repeated");
      assert.equal((await redeem(store, redemptionOf(site, { perMinute: 2 }))).kind, "spent");
      assert.equal((await redeem(store, redemption)).kind, "repeated");
      assert.equal(await redeemedInStatistics(store, site.siteKey), 2);
    },
  },
  {
    name: "repeats an expired token if it was spent, and never spends one otherwise (D2, redemption)",
    check: async (store) => {
      const site = await seedSite(store);
      const fresh = redemptionOf(site, { repeatDigest: randomBytes(32) });
      assert.deepEqual(await redeem(store, { ...fresh, isRepeatOnly: true }), {
        kind: "not_repeated",
      });
      assert.equal(await store.tokens.isSpent(fresh), false);
      assert.equal((await redeem(store, fresh)).kind, "spent");
      assert.deepEqual(await redeem(store, { ...fresh, isRepeatOnly: true }), {
        kind: "repeated",
        atMs: T0,
      });
      const other = { ...fresh, isRepeatOnly: true, repeatDigest: randomBytes(32) };
      assert.deepEqual(await redeem(store, other), { kind: "not_repeated" });
      assert.deepEqual(
        await redeem(store, redemptionOf(site, { isRepeatOnly: true, perMinute: 0 })),
        {
          kind: "not_repeated",
        },
      );
    },
  },
];

const REFUSALS: readonly Guarantee[] = [
  {
    name: "leaves a token unspent over the limit, so that it can be redeemed later (D2, redemption)",
    check: async (store) => {
      const site = await seedSite(store);
      const [first, second] = [
        redemptionOf(site, { perMinute: 1 }),
        redemptionOf(site, { perMinute: 1 }),
      ];
      const outcomes = await redeemAll(store, [first, second]);
      assert.deepEqual(outcomes, [
        {
          kind: "spent",
          atMs: T0,
          limit: { isAdmitted: true, perMinute: 1, remaining: 0, resetsInMs: 60_000 },
        },
        {
          kind: "limited",
          limit: { isAdmitted: false, perMinute: 1, remaining: 0, resetsInMs: 120_000 },
        },
      ]);
      assert.equal(await store.tokens.isSpent(second), false);
      assert.equal(await redeemedInStatistics(store, site.siteKey), 1);
      assert.equal((await redeem(store, { ...second, nowMs: T0 + 120_000 })).kind, "spent");
    },
  },
  {
    name: "reports a used token even over the limit, since replays take nothing from it (D2, redemption)",
    check: async (store) => {
      const redemption = redemptionOf(await seedSite(store), { perMinute: 1 });
      assert.equal((await redeem(store, redemption)).kind, "spent");
      assert.equal((await redeem(store, redemption)).kind, "already_used");
    },
  },
  {
    name: "spends nothing for another revision, an unknown site or a site deleted meanwhile (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site);
      const stale = { ...redemption, siteRevision: site.revision + 1 };
      assert.deepEqual(await redeem(store, stale), { kind: "site_changed" });
      assert.deepEqual(await redeem(store, { ...redemption, siteKey: "pk_unknown" }), {
        kind: "site_changed",
      });
      await store.sites.replaceSite({ ...site, deletedAtMs: T0, secretKeys: [], revision: 2 }, 1);
      assert.deepEqual(await redeem(store, redemption), { kind: "site_changed" });
      assert.equal(await store.tokens.isSpent(redemption), false);
      assert.equal(await redeemedInStatistics(store, site.siteKey), 0);
    },
  },
  {
    name: "applies a change of the site that was sent before a redemption in the same turn (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const [before, change, after] = await Promise.all([
        redeem(store, redemptionOf(site)),
        store.sites.replaceSite({ ...site, isEnabled: false, revision: 2 }, 1),
        redeem(store, redemptionOf(site)),
      ]);
      assert.deepEqual([before.kind, change, after.kind], ["spent", "stored", "site_changed"]);
    },
  },
];

/** The guarantees of every ledger of tokens. */
export const TOKEN_GUARANTEES: readonly Guarantee[] = [
  ...TOKEN_RACES,
  ...SINGLE_USE,
  ...REPEATS,
  ...REFUSALS,
];
