import assert from "node:assert/strict";
import type { RateRequest } from "@stile/core/domain/rate-window";
import { minuteOf } from "@stile/core/domain/rate-window";
import type { Store } from "@stile/core/ports/store";
import {
  consumeAll,
  type Guarantee,
  redeemAll,
  redemptionOf,
  seedSite,
  T0,
} from "./contract-fixtures.ts";

function requests(count: number, over: Partial<RateRequest> = {}): RateRequest[] {
  return Array.from({ length: count }, () => ({
    scope: "score:pk_1",
    perMinute: 50,
    nowMs: T0,
    ...over,
  }));
}

async function admitted(store: Store, batch: readonly RateRequest[]): Promise<number> {
  const states = await consumeAll(store, batch);
  return states.filter(({ isAdmitted }) => isAdmitted).length;
}

/** Guarantees for simultaneous calls. A store that reads, waits and then writes breaks them. */
export const LIMIT_RACES: readonly Guarantee[] = [
  {
    name: "admits exactly the limit of 200 simultaneous requests (D10, limits)",
    check: async (store) => {
      const counts = await Promise.all(requests(200).map((request) => admitted(store, [request])));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        50,
      );
    },
  },
];

/** The guarantees of every exact limiter. The limit of redemptions follows the same window. */
export const LIMIT_GUARANTEES: readonly Guarantee[] = [
  ...LIMIT_RACES,
  {
    name: "admits up to the limit within one turn, and returns what is left (D10, limits)",
    check: async (store) => {
      const states = await consumeAll(store, requests(3, { perMinute: 2, nowMs: T0 + 15_000 }));
      assert.deepEqual(states, [
        { isAdmitted: true, perMinute: 2, remaining: 1, resetsInMs: 45_000 },
        { isAdmitted: true, perMinute: 2, remaining: 0, resetsInMs: 45_000 },
        { isAdmitted: false, perMinute: 2, remaining: 0, resetsInMs: 75_000 },
      ]);
    },
  },
  {
    name: "weighs the previous minute by its part within the last 60 s (D10, limits)",
    check: async (store) => {
      assert.equal(await admitted(store, requests(60, { nowMs: T0 + 59_999 })), 50);
      assert.equal(await admitted(store, requests(60, { nowMs: T0 + 60_000 })), 0);
      assert.equal(await admitted(store, requests(60, { nowMs: T0 + 90_000 })), 25);
      assert.equal(await admitted(store, requests(60, { nowMs: T0 + 180_000 })), 50);
    },
  },
  {
    name: "never admits more than the limit in any clock minute, whenever requests come (D10, limits)",
    check: async (store) => {
      const perMinute = new Map<number, number>();
      for (let nowMs = T0; nowMs < T0 + 240_000; nowMs += 2_500) {
        const count = await admitted(store, requests(4, { perMinute: 20, nowMs }));
        perMinute.set(minuteOf(nowMs), (perMinute.get(minuteOf(nowMs)) ?? 0) + count);
      }
      assert.equal(perMinute.size, 4);
      for (const count of perMinute.values())
        assert.ok(count >= 10 && count <= 20, `${count} in one minute`);
    },
  },
  {
    name: "never spends more tokens than the limit in any clock minute, even across its edge (D2, redemption; D10, limits)",
    check: async (store) => {
      const site = await seedSite(store);
      const spentAt = async (nowMs: number): Promise<number> => {
        const batch = Array.from({ length: 15 }, () =>
          redemptionOf(site, { perMinute: 10, nowMs }),
        );
        return (await redeemAll(store, batch)).filter(({ kind }) => kind === "spent").length;
      };
      assert.equal(await spentAt(T0 + 59_999), 10);
      assert.equal(await spentAt(T0 + 60_000), 0);
      assert.equal(await spentAt(T0 + 66_000), 1);
      assert.equal(await spentAt(T0 + 119_999), 8);
      assert.equal(await spentAt(T0 + 180_000), 10);
    },
  },
  {
    name: "keeps a minute full when the clock goes back into it (D10, limits)",
    check: async (store) => {
      assert.equal(await admitted(store, requests(50)), 50);
      assert.equal(await admitted(store, requests(1, { nowMs: T0 + 300_000 })), 1);
      assert.equal(await admitted(store, requests(10)), 0);
    },
  },
  {
    name: "separates scopes from each other, and redemptions from a scope of their site (D10, limits)",
    check: async (store) => {
      const site = await seedSite(store);
      const scope = `verify:${site.siteKey}`;
      assert.equal(await admitted(store, requests(1, { scope, perMinute: 1 })), 1);
      assert.equal(await admitted(store, requests(2, { scope: "score:other", perMinute: 1 })), 1);
      const outcome = await store.tokens.redeem(redemptionOf(site, { perMinute: 1 }));
      assert.equal(outcome.kind, "spent");
    },
  },
  {
    name: "counts no refused request (D10, limits)",
    check: async (store) => {
      assert.equal(await admitted(store, requests(500)), 50);
      assert.equal(await admitted(store, requests(500, { nowMs: T0 + 90_000 })), 25);
    },
  },
];
