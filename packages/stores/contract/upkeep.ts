import assert from "node:assert/strict";
import { type Guarantee, redemptionOf, seedSite, spendOf, T0 } from "./fixtures.ts";

const SERVICE_KEYS: readonly Guarantee[] = [
  {
    name: "lists service keys as they were written, oldest id first (D4)",
    check: async (store) => {
      const keys = [2, 1, 4_294_967_295].map((keyId) => ({
        keyId,
        createdAtMs: T0 + keyId,
        wrapped: Uint8Array.from([keyId & 255, 0, 255, 1]),
      }));
      for (const key of keys) assert.equal(await store.serviceKeys.insertServiceKey(key), true);
      const listed = await store.serviceKeys.listServiceKeys();
      assert.deepEqual(
        listed.map(({ keyId, createdAtMs, wrapped }) => ({ keyId, createdAtMs, wrapped: [...wrapped] })),
        [1, 0, 2].map((at) => ({ ...keys[at], wrapped: [...(keys[at]?.wrapped ?? [])] })),
      );
    },
  },
  {
    name: "of 20 simultaneous service keys of one id one is added and stays (D4)",
    check: async (store) => {
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          store.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(index) }),
        ),
      );
      const winner = added.indexOf(true);
      assert.equal(added.lastIndexOf(true), winner);
      const [key] = await store.serviceKeys.listServiceKeys();
      assert.deepEqual([...(key?.wrapped ?? [])], [winner]);
    },
  },
  {
    name: "a deleted service key is gone, and deleting it again does no harm (D4)",
    check: async (store) => {
      await store.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(1) });
      await store.serviceKeys.deleteServiceKey(1);
      await store.serviceKeys.deleteServiceKey(1);
      assert.deepEqual(await store.serviceKeys.listServiceKeys(), []);
    },
  },
];

const SWEEPING: readonly Guarantee[] = [
  {
    name: "sweeps marks from the moment they may go, not a millisecond earlier, and says how many",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site, { keepUntilMs: T0 + 1000 });
      await store.tokens.redeemMany([redemption, redemptionOf(site)]);
      await store.challenges.spendMany([spendOf(site, { keepUntilMs: T0 + 1000 }), spendOf(site)]);
      assert.equal(await store.housekeeping.sweep(T0 + 999), 0);
      assert.equal(await store.tokens.isSpent(redemption.tokenId), true);
      assert.equal(await store.housekeeping.sweep(T0 + 1000), 2);
      assert.equal(await store.tokens.isSpent(redemption.tokenId), false);
      assert.equal(await store.housekeeping.sweep(T0 + 1000), 0);
    },
  },
  {
    name: "sweeps any number of marks",
    check: async (store) => {
      const site = await seedSite(store);
      await store.tokens.redeemMany(Array.from({ length: 2500 }, () => redemptionOf(site)));
      assert.equal(await store.housekeeping.sweep(T0 + 360_000), 2500);
    },
  },
  {
    name: "a swept token or challenge is never spent again, even if the clock is set back (D3)",
    check: async (store) => {
      const site = await seedSite(store);
      const [redemption, spend] = [redemptionOf(site), spendOf(site)];
      await store.tokens.redeemMany([redemption]);
      await store.challenges.spendMany([spend]);
      assert.equal(await store.housekeeping.sweep(T0 + 86_400_000), 2);
      const [again] = await store.tokens.redeemMany([redemption]);
      assert.equal(again?.kind, "already_used");
      assert.deepEqual(await store.challenges.spendMany([spend]), ["already_spent"]);
      const [younger] = await store.tokens.redeemMany([redemptionOf(site, { keepUntilMs: T0 + 360_001 })]);
      assert.equal(younger?.kind, "spent");
    },
  },
  {
    name: "a sweep in the same turn does not let a swept token be spent again (D3)",
    check: async (store) => {
      const redemption = redemptionOf(await seedSite(store), { keepUntilMs: T0 + 1000 });
      const [first] = await store.tokens.redeemMany([redemption]);
      const sweep = store.housekeeping.sweep(T0 + 1000);
      const outcomes = await Promise.all([1, 2, 3].map(() => store.tokens.redeemMany([redemption])));
      await sweep;
      const [last] = await store.tokens.redeemMany([redemption]);
      assert.equal(first?.kind, "spent");
      for (const outcome of [...outcomes.flat(), last]) assert.equal(outcome?.kind, "already_used");
    },
  },
  {
    name: "a sweep leaves the limits of this and the previous minute alone (D10)",
    check: async (store) => {
      const request = { scope: "score:pk_1", perMinute: 1, nowMs: T0 };
      await store.limiter.consumeMany([request]);
      await store.housekeeping.sweep(T0 + 60_000);
      const [state] = await store.limiter.consumeMany([{ ...request, nowMs: T0 + 60_000 }]);
      assert.equal(state?.isAdmitted, false);
    },
  },
];

const LIFE: readonly Guarantee[] = [
  {
    name: "answers a ping and describes the engine",
    check: async (store) => {
      await store.ping();
      const { engine, detail } = await store.describe();
      assert.ok(engine.length > 0 && detail.length > 0);
    },
  },
  {
    name: "closing twice does no harm",
    check: async (store) => {
      await seedSite(store);
      await store.close();
      await store.close();
    },
  },
];

/** What every engine promises about service keys, housekeeping and its own life. */
export const UPKEEP_GUARANTEES: readonly Guarantee[] = [...SERVICE_KEYS, ...SWEEPING, ...LIFE];
