import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Metric } from "@stile/core/domain/statistics/metrics";
import { KEPT_MS, PERIOD_MS } from "@stile/core/domain/statistics/periods";
import {
  type Guarantee,
  readMinutes,
  redeemAll,
  redemptionOf,
  seedSite,
  spendAll,
  spendOf,
  T0,
} from "../contract-fixtures.ts";
import { countAt, readRows, readTotals } from "./counting.ts";
import { NAME_GUARANTEES, RESERVED_NAME_GUARANTEES } from "./statistic-names-contract.ts";

const MINUTE = PERIOD_MS.minute;
const DAY = PERIOD_MS.day;
/** Midnight (UTC) before T0. */
const DAY_0 = Math.floor(T0 / DAY) * DAY;

const COUNTING: readonly Guarantee[] = [
  {
    name: "counts what belongs to a spending write with it, exactly, without a flush (D3, single use)",
    check: async (store) => {
      const site = await seedSite(store);
      const onSpent: Metric[] = [
        "challenge_solved",
        "token_issued",
        "score:login:07",
        "country:DE",
        "host:a.b",
      ];
      const spends = Array.from({ length: 25 }, () => spendOf(site, { onSpent }));
      const redemptions = Array.from({ length: 40 }, () => redemptionOf(site));
      await Promise.all([
        spendAll(store, [...spends, ...spends]),
        redeemAll(store, redemptions),
        redeemAll(store, redemptions),
      ]);
      assert.deepEqual(await readMinutes(store, site.siteKey, T0, T0 + MINUTE), [
        { startMs: T0, metric: "challenge_solved", count: 25 },
        { startMs: T0, metric: "country:DE", count: 25 },
        { startMs: T0, metric: "host:a.b", count: 25 },
        { startMs: T0, metric: "refused:token_already_used", count: 40 },
        { startMs: T0, metric: "score:login:07", count: 25 },
        { startMs: T0, metric: "token_issued", count: 25 },
        { startMs: T0, metric: "token_redeemed", count: 40 },
      ]);
    },
  },
  {
    name: "counts no replay for exact repeats, limited and expired attempts (D2, redemption)",
    check: async (store) => {
      const site = await seedSite(store);
      const redemption = redemptionOf(site, { repeatDigest: new Uint8Array(32), perMinute: 1 });
      const attempts = [redemption, redemption, redemptionOf(site, { perMinute: 1 })];
      const outcomes = await redeemAll(store, [
        ...attempts,
        redemptionOf(site, { isRepeatOnly: true }),
      ]);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ["spent", "repeated", "limited", "not_repeated"],
      );
      const [totals] = await readTotals(store, site.siteKey);
      assert.deepEqual(totals, { token_redeemed: 1 });
    },
  },
  {
    name: "adds to what was counted before (spec 1)",
    check: async (store) => {
      const site = await seedSite(store);
      for (let round = 1; round <= 3; round++) {
        store.statistics.count({
          siteKey: site.siteKey,
          metric: "challenge_issued",
          atMs: T0 + round,
        });
        store.statistics.count({
          siteKey: site.siteKey,
          metric: "challenge_issued",
          atMs: T0 + round,
        });
        await store.statistics.flush();
        const [sum] = await readMinutes(store, site.siteKey, T0, T0 + MINUTE);
        assert.deepEqual(sum, { startMs: T0, metric: "challenge_issued", count: 2 * round });
      }
    },
  },
  {
    name: "writes every count once in two simultaneous flushes",
    check: async (store) => {
      const site = await seedSite(store);
      const entry = { siteKey: site.siteKey, metric: "challenge_issued", atMs: T0 } as const;
      store.statistics.count(entry);
      const first = store.statistics.flush();
      store.statistics.count(entry);
      await Promise.all([first, store.statistics.flush(), store.statistics.flush()]);
      const [sum] = await readMinutes(store, site.siteKey);
      assert.equal(sum?.count, 2);
    },
  },
  {
    name: "separates sites, and keeps nothing of a site that does not exist",
    check: async (store) => {
      const site = await seedSite(store);
      store.statistics.count({ siteKey: "pk_unknown", metric: "challenge_issued", atMs: T0 });
      store.statistics.count({ siteKey: site.siteKey, metric: "challenge_failed", atMs: T0 });
      await store.statistics.flush();
      await countAt(store, "pk_unknown", T0, ["token_issued"]);
      assert.deepEqual(await readMinutes(store, "pk_unknown"), []);
      assert.deepEqual(await readMinutes(store, site.siteKey), [
        { startMs: T0, metric: "challenge_failed", count: 1 },
      ]);
    },
  },
];

const RESOLUTION_GUARANTEES: readonly Guarantee[] = [
  {
    name: "adds every count to its minute, its hour and its day (UTC), however it came",
    check: async (store) => {
      const site = await seedSite(store);
      const { siteKey } = site;
      const late = T0 + 59 * MINUTE + 59_999;
      await redeemAll(store, [redemptionOf(site), redemptionOf(site, { nowMs: late })]);
      store.statistics.count({ siteKey, metric: "challenge_issued", atMs: late + 1 });
      await store.statistics.flush();
      await store.statistics.add([
        { siteKey, metric: "flag:velocity_ip", atMs: DAY_0 + DAY, count: 5 },
      ]);
      const hour = T0 + 60 * MINUTE;
      assert.deepEqual(await readRows(store, siteKey, "minute"), {
        [`${T0} token_redeemed`]: 1,
        [`${T0 + 59 * MINUTE} token_redeemed`]: 1,
        [`${hour} challenge_issued`]: 1,
        [`${DAY_0 + DAY} flag:velocity_ip`]: 5,
      });
      assert.deepEqual(await readRows(store, siteKey, "hour"), {
        [`${T0} token_redeemed`]: 2,
        [`${hour} challenge_issued`]: 1,
        [`${DAY_0 + DAY} flag:velocity_ip`]: 5,
      });
      assert.deepEqual(await readRows(store, siteKey, "day"), {
        [`${DAY_0} token_redeemed`]: 2,
        [`${DAY_0} challenge_issued`]: 1,
        [`${DAY_0 + DAY} flag:velocity_ip`]: 5,
      });
    },
  },
];

/** A store breaks these if it writes minutes, hours and days one after another. */
export const RESOLUTION_RACES: readonly Guarantee[] = [
  {
    name: "shows the same totals in minutes, hours and days to a reader while others write",
    check: async (store) => {
      const site = await seedSite(store);
      const writes = Array.from({ length: 20 }, async (_, round) => {
        for (let turn = 0; turn < round; turn++) await nextTurn();
        await store.tokens.redeem(redemptionOf(site));
        store.statistics.count({
          siteKey: site.siteKey,
          metric: "challenge_issued",
          atMs: T0 + round,
        });
        await store.statistics.flush();
      });
      const reads = Array.from({ length: 40 }, async (_, round) => {
        for (let turn = 0; turn < round; turn++) await nextTurn();
        return [
          ...(await readTotals(store, site.siteKey)),
          ...(await readTotals(store, site.siteKey)),
        ];
      });
      const [seen] = await Promise.all([Promise.all(reads), ...writes]);
      // Counts only grow, so a later read is never smaller, in any resolution.
      for (const totals of seen) {
        for (const metric of ["challenge_issued", "token_redeemed"] as const) {
          const counts = totals.map((total) => total[metric] ?? 0);
          assert.deepEqual(
            counts,
            counts.toSorted((a, b) => a - b),
          );
        }
      }
      const everything = { challenge_issued: 20, token_redeemed: 20 };
      assert.deepEqual(await readTotals(store, site.siteKey), [everything, everything, everything]);
    },
  },
];

const READING: readonly Guarantee[] = [
  {
    name: "reads single days by kind, oldest first, end excluded (D10, limits)",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const counted: readonly (readonly [day: number, metrics: readonly Metric[]])[] = [
        [1, ["busiest:10", "busiest:12", "token_redeemed", "flag:velocity_ip"]],
        [0, ["busiest:1"]],
        [2, ["busiest:40"]],
      ];
      for (const [day, metrics] of counted)
        await countAt(store, siteKey, DAY_0 + day * DAY + MINUTE, metrics);
      const query = {
        siteKey,
        kinds: ["busiest", "outcome"],
        fromMs: DAY_0,
        toMs: DAY_0 + 2 * DAY,
      } as const;
      assert.deepEqual(await store.statistics.readDays(query), [
        { startMs: DAY_0, metric: "busiest:1", count: 1 },
        { startMs: DAY_0 + DAY, metric: "busiest:10", count: 1 },
        { startMs: DAY_0 + DAY, metric: "busiest:12", count: 1 },
        { startMs: DAY_0 + DAY, metric: "token_redeemed", count: 1 },
      ]);
    },
  },
  {
    name: "adds up what lies between the starts of points of any length, each period once (spec 1)",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      for (const minute of [0, 1, 2, 3, 5, 9]) {
        await countAt(store, siteKey, T0 + minute * MINUTE, [
          "challenge_issued",
          "refused:token_expired",
        ]);
      }
      const points = [0, 1, 4, 5, 6].map((minute) => T0 + minute * MINUTE);
      const [fromMs = 0] = points;
      const query = {
        siteKey,
        resolution: "minute",
        kinds: ["refused", "outcome"],
        fromMs,
        toMs: T0 + 8 * MINUTE,
      } as const;
      const series = await store.statistics.readSeries({ ...query, starts: points });
      const both = (minute: number, count: number) =>
        (["challenge_issued", "refused:token_expired"] as const).map((metric) => {
          return { startMs: T0 + minute * MINUTE, metric, count };
        });
      assert.deepEqual(series, [...both(0, 1), ...both(1, 3), ...both(5, 1)]);
      assert.deepEqual(
        await store.statistics.readSeries({ ...query, toMs: T0, starts: points }),
        [],
      );
    },
  },
  {
    name: "reads periods that start in the asked span, oldest first, end excluded (spec 1)",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      for (const minute of [2, 0, 3, 1]) {
        const atMs = T0 + minute * MINUTE + MINUTE - 1;
        await countAt(store, siteKey, atMs, ["refused:token_expired", "challenge_issued"]);
      }
      const series = await readMinutes(store, siteKey, T0 + MINUTE, T0 + 3 * MINUTE);
      assert.deepEqual(
        series.map(({ startMs }) => startMs),
        [1, 1, 2, 2].map((minute) => T0 + minute * MINUTE),
      );
      assert.equal((await readMinutes(store, siteKey, T0 + 1, T0 + MINUTE)).length, 0);
      const span = {
        siteKey,
        resolution: "minute",
        fromMs: T0 + MINUTE,
        toMs: T0 + 3 * MINUTE,
      } as const;
      const sums = await store.statistics.readSums({ ...span, kinds: ["refused", "refused"] });
      assert.deepEqual(sums, [{ metric: "refused:token_expired", count: 2 }]);
      assert.deepEqual(await store.statistics.readSeries({ ...span, kinds: [] }), []);
    },
  },
  {
    name: "removes minutes after 48 hours, hours after 91 days, days after 13 months, and nothing earlier",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await countAt(store, siteKey, DAY_0, ["token_issued"]);
      const left = async (): Promise<number[]> =>
        (await readTotals(store, siteKey)).map((totals) => totals.token_issued ?? 0);
      for (const [resolution, after] of [
        ["minute", [0, 1, 1]],
        ["hour", [0, 0, 1]],
        ["day", [0, 0, 0]],
      ] as const) {
        const before = await left();
        assert.equal(
          await store.statistics.prune(DAY_0 + KEPT_MS[resolution] + PERIOD_MS[resolution] - 1),
          0,
        );
        assert.deepEqual(await left(), before);
        assert.equal(
          await store.statistics.prune(DAY_0 + KEPT_MS[resolution] + PERIOD_MS[resolution]),
          1,
        );
        assert.deepEqual(await left(), after);
      }
    },
  },
  {
    name: "removes any number of old counts, and keeps the young ones",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const at = (atMs: number) => ({ siteKey, metric: "token_issued" as const, atMs, count: 1 });
      await store.statistics.add(
        Array.from({ length: 1_200 }, (_, minute) => at(T0 + minute * MINUTE)),
      );
      const removed = await store.statistics.prune(T0 + KEPT_MS.minute + 1_000 * MINUTE);
      assert.equal(removed, 1_000);
      assert.deepEqual(
        (await readTotals(store, siteKey)).map(({ token_issued: count }) => count),
        [200, 1_200, 1_200],
      );
    },
  },
];

/** The guarantees of every store of statistics. */
export const STATISTICS_GUARANTEES: readonly Guarantee[] = [
  ...COUNTING,
  ...RESOLUTION_GUARANTEES,
  ...RESOLUTION_RACES,
  ...NAME_GUARANTEES,
  ...RESERVED_NAME_GUARANTEES,
  ...READING,
];
