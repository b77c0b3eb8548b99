import assert from "node:assert/strict";
import type { Metric } from "@stile/core/domain/metrics";
import { type Guarantee, redemptionOf, seedSite, spendOf, T0 } from "./fixtures.ts";

const MINUTE = 60_000;

/** What every store of statistics promises. */
export const STATISTICS_GUARANTEES: readonly Guarantee[] = [
  {
    name: "what follows a spending write is counted with it, exactly, without a flush (D3)",
    check: async (store) => {
      const site = await seedSite(store);
      const onSpent: Metric[] = ["challenge_solved", "token_issued", "score:07"];
      const spends = Array.from({ length: 25 }, () => spendOf(site, { onSpent }));
      const redemptions = Array.from({ length: 40 }, () => redemptionOf(site));
      await Promise.all([
        store.challenges.spendMany([...spends, ...spends]),
        store.tokens.redeemMany(redemptions),
        store.tokens.redeemMany(redemptions),
      ]);
      assert.deepEqual(await store.statistics.read(site.siteKey, T0, T0 + MINUTE), [
        { minuteStartMs: T0, metric: "challenge_solved", count: 25 },
        { minuteStartMs: T0, metric: "score:07", count: 25 },
        { minuteStartMs: T0, metric: "token_issued", count: 25 },
        { minuteStartMs: T0, metric: "token_redeemed", count: 40 },
      ]);
    },
  },
  {
    name: "adds to what was counted before (spec 1)",
    check: async (store) => {
      const site = await seedSite(store);
      for (let round = 1; round <= 3; round++) {
        store.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 + round });
        store.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 + round });
        await store.statistics.flush();
        const [sum] = await store.statistics.read(site.siteKey, T0, T0 + MINUTE);
        assert.deepEqual(sum, { minuteStartMs: T0, metric: "challenge_issued", count: 2 * round });
      }
    },
  },
  {
    name: "two flushes at once write every count once",
    check: async (store) => {
      const site = await seedSite(store);
      const entry = { siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 } as const;
      store.statistics.count(entry);
      const first = store.statistics.flush();
      store.statistics.count(entry);
      await Promise.all([first, store.statistics.flush(), store.statistics.flush()]);
      const [sum] = await store.statistics.read(site.siteKey, T0, T0 + MINUTE);
      assert.equal(sum?.count, 2);
    },
  },
  {
    name: "reads minutes that start in the asked span, oldest first, end excluded (spec 1)",
    check: async (store) => {
      const site = await seedSite(store);
      for (const minute of [2, 0, 3, 1]) {
        const atMs = T0 + minute * MINUTE + MINUTE - 1;
        store.statistics.count({ siteKey: site.siteKey, metric: "refused:token_expired", atMs });
      }
      await store.statistics.flush();
      const read = await store.statistics.read(site.siteKey, T0 + MINUTE, T0 + 3 * MINUTE);
      assert.deepEqual(
        read.map(({ minuteStartMs }) => minuteStartMs),
        [T0 + MINUTE, T0 + 2 * MINUTE],
      );
      assert.equal((await store.statistics.read(site.siteKey, T0 + 1, T0 + MINUTE)).length, 0);
    },
  },
  {
    name: "keeps sites apart, and keeps nothing of a site that does not exist",
    check: async (store) => {
      const site = await seedSite(store);
      store.statistics.count({ siteKey: "pk_unknown", metric: "challenge_issued", atMs: T0 });
      store.statistics.count({ siteKey: site.siteKey, metric: "challenge_failed", atMs: T0 });
      await store.statistics.flush();
      assert.deepEqual(await store.statistics.read("pk_unknown", 0, T0 + MINUTE), []);
      assert.deepEqual(await store.statistics.read(site.siteKey, 0, T0 + MINUTE), [
        { minuteStartMs: T0, metric: "challenge_failed", count: 1 },
      ]);
    },
  },
];
