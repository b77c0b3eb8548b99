import assert from "node:assert/strict";
import type { Redemption } from "@stile/core/domain/token/single-use";
import {
  type Guarantee,
  redeemAll,
  redemptionOf,
  seedSite,
  spendAll,
  spendOf,
  T0,
} from "./contract-fixtures.ts";

const SERVICE_KEYS: readonly Guarantee[] = [
  {
    name: "lists service keys as they were written, oldest id first (D4, sealed token)",
    check: async (store) => {
      const keys = [2, 1, 4_294_967_295].map((keyId) => ({
        keyId,
        createdAtMs: T0 + keyId,
        wrapped: Uint8Array.from([keyId & 255, 0, 255, 1]),
      }));
      for (const key of keys) assert.equal(await store.serviceKeys.insertServiceKey(key), true);
      const listed = await store.serviceKeys.listServiceKeys();
      assert.deepEqual(
        listed.map(({ keyId, createdAtMs, wrapped }) => ({
          keyId,
          createdAtMs,
          wrapped: [...wrapped],
        })),
        [1, 0, 2].map((at) => ({ ...keys[at], wrapped: [...(keys[at]?.wrapped ?? [])] })),
      );
    },
  },
  {
    name: "adds and keeps one of 20 simultaneous service keys with one id (D4, sealed token)",
    check: async (store) => {
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store.serviceKeys.insertServiceKey({
            keyId: 1,
            createdAtMs: T0,
            wrapped: Uint8Array.of(index),
          }),
        ),
      );
      const winner = added.indexOf(true);
      assert.equal(added.lastIndexOf(true), winner);
      const [key] = await store.serviceKeys.listServiceKeys();
      assert.deepEqual([...(key?.wrapped ?? [])], [winner]);
    },
  },
  {
    name: "deletes a service key, and deletes it again without harm (D4, sealed token)",
    check: async (store) => {
      await store.serviceKeys.insertServiceKey({
        keyId: 1,
        createdAtMs: T0,
        wrapped: Uint8Array.of(1),
      });
      await store.serviceKeys.deleteServiceKey(1);
      await store.serviceKeys.deleteServiceKey(1);
      assert.deepEqual(await store.serviceKeys.listServiceKeys(), []);
    },
  },
  {
    name: "keeps the newest service key id after the key is gone; refused or older keys do not change it (D4, sealed token)",
    check: async (store) => {
      await store.begin();
      assert.equal(await store.serviceKeys.newestKeyId(), 0);
      for (const keyId of [1, 5, 5, 3]) {
        await store.serviceKeys.insertServiceKey({
          keyId,
          createdAtMs: T0,
          wrapped: Uint8Array.of(1),
        });
      }
      for (const keyId of [1, 3, 5]) await store.serviceKeys.deleteServiceKey(keyId);
      assert.equal(await store.serviceKeys.newestKeyId(), 5);
    },
  },
];

const SWEEPING: readonly Guarantee[] = [
  {
    name: "sweeps spent tokens and challenges exactly when they may go, and returns how many",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site, { retainUntilMs: T0 + 1000 });
      await redeemAll(store, [redemption, redemptionOf(site)]);
      await spendAll(store, [spendOf(site, { retainUntilMs: T0 + 1000 }), spendOf(site)]);
      assert.equal(await store.housekeeping.sweep(T0 + 999), 0);
      assert.equal(await store.tokens.isSpent(redemption), true);
      assert.equal(await store.housekeeping.sweep(T0 + 1000), 2);
      assert.equal(await store.tokens.isSpent(redemption), false);
      assert.equal(await store.housekeeping.sweep(T0 + 1000), 0);
    },
  },
  {
    name: "sweeps any number of spent tokens and challenges",
    check: async (store) => {
      const site = await seedSite(store);
      await redeemAll(
        store,
        Array.from({ length: 2500 }, () => redemptionOf(site)),
      );
      assert.equal(await store.housekeeping.sweep(T0 + 360_000), 2500);
    },
  },
  {
    name: "never spends a swept token or challenge again, even if the clock goes back (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const [redemption, spend] = [redemptionOf(site), spendOf(site)];
      await store.tokens.redeem(redemption);
      await store.challenges.spend(spend);
      assert.equal(await store.housekeeping.sweep(T0 + 86_400_000), 2);
      const again = await store.tokens.redeem(redemption);
      assert.equal(again.kind, "already_used");
      assert.equal(await store.challenges.spend(spend), "already_spent");
      const younger = await store.tokens.redeem(
        redemptionOf(site, { retainUntilMs: T0 + 360_001 }),
      );
      assert.equal(younger.kind, "spent");
    },
  },
  {
    name: "does not spend a token again that is swept between two redemptions of one transaction (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site, { retainUntilMs: T0 + 1000 });
      await store.tokens.redeem(redemption);
      // One attempt before and one after each step of the sweep: the second loop starts a few
      // microtasks later.
      const keepRedeeming = async (attempt: Redemption, microtasks: number): Promise<string[]> => {
        const kinds: string[] = [];
        for (let turn = 0; turn < 10; turn++) {
          for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
          kinds.push((await store.tokens.redeem(attempt)).kind);
        }
        return kinds;
      };
      const [others, swept, kinds] = await Promise.all([
        keepRedeeming(redemptionOf(site), 0),
        store.housekeeping.sweep(T0 + 1000),
        keepRedeeming(redemption, 20),
      ]);
      assert.deepEqual([others[0], swept], ["spent", 1]);
      assert.deepEqual(kinds, Array(10).fill("already_used"));
    },
  },
  {
    name: "leaves the limits of this and the previous minute alone in a sweep (D10, limits)",
    check: async (store) => {
      const request = { scope: "score:pk_1", perMinute: 1, nowMs: T0 };
      await store.limiter.consume(request);
      await store.housekeeping.sweep(T0 + 60_000);
      const state = await store.limiter.consume({ ...request, nowMs: T0 + 60_000 });
      assert.equal(state.isAdmitted, false);
    },
  },
];

const LIFE: readonly Guarantee[] = [
  {
    name: "records the time in a sweep of a begun server, and never moves it back",
    check: async (store) => {
      assert.equal(await store.housekeeping.newestMs(), 0);
      await store.begin();
      await store.housekeeping.sweep(T0 + 1000);
      await store.housekeeping.sweep(T0);
      const newestMs = await store.housekeeping.newestMs();
      assert.ok(newestMs === T0 + 1000, `${newestMs}`);
    },
  },
  {
    name: "retires nothing in a first run, and no key made in it (D3, single use)",
    check: async (store) => {
      assert.equal(await store.begin(), "continued");
      await store.serviceKeys.insertServiceKey({
        keyId: 1,
        createdAtMs: T0,
        wrapped: Uint8Array.of(1),
      });
      assert.deepEqual(
        (await store.serviceKeys.listServiceKeys()).map(({ isRetired }) => isRetired),
        [false],
      );
    },
  },
  {
    name: "answers a ping and describes the engine",
    check: async (store) => {
      await store.ping();
      const { engine, detail } = await store.describe();
      assert.ok(engine.length > 0 && detail.length > 0);
    },
  },
  {
    name: "closes twice without harm",
    check: async (store) => {
      await seedSite(store);
      await store.close();
      await store.close();
    },
  },
];

/** The guarantees of every engine for service keys, housekeeping, and its own start and end. */
export const UPKEEP_GUARANTEES: readonly Guarantee[] = [...SERVICE_KEYS, ...SWEEPING, ...LIFE];
