import assert from "node:assert/strict";
import { MAX_NAMES_PER_DAY, type Metric } from "@stile/core/domain/metrics";
import { PERIOD_MS } from "@stile/core/domain/periods";
import { countAt, readRows, readTotals } from "./counting.ts";
import { type Guarantee, seedSite, spendOf, T0 } from "./fixtures.ts";

const DAY = PERIOD_MS.day;
/** Midnight (UTC) before T0. */
const DAY_0 = Math.floor(T0 / DAY) * DAY;

const hosts = (from: number, count: number): Metric[] =>
  Array.from({ length: count }, (_, index): Metric => `host:h${from + index}.example.com`);

/** What a store breaks that tells too many names of visitors apart. */
export const NAME_GUARANTEES: readonly Guarantee[] = [
  {
    name: "of the hosts of a site and day the first 20 are told apart, the others are `other`",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await countAt(store, siteKey, T0, [...hosts(0, 30), ...hosts(0, 3), ...hosts(25, 2)]);
      const [totals] = await readTotals(store, siteKey);
      const expected = Object.fromEntries(hosts(0, MAX_NAMES_PER_DAY).map((name) => [name, 1]));
      for (const name of hosts(0, 3)) expected[name] = 2;
      assert.deepEqual(totals, { ...expected, "host:other": 12 });
    },
  },
  {
    name: "names that come in one batch are told apart as far as they come first, and all is counted",
    check: async (store) => {
      const site = await seedSite(store);
      const spends = hosts(0, 200).map((name, index) => spendOf(site, { onSpent: [name, `score:a${index}:50`] }));
      await Promise.all(spends.map((spend) => store.challenges.spendMany([spend])));
      for (const totals of await readTotals(store, site.siteKey)) {
        const names = Object.keys(totals);
        assert.equal(names.filter((name) => name.startsWith("host:h")).length, MAX_NAMES_PER_DAY);
        assert.equal(names.filter((name) => name.startsWith("score:a")).length, MAX_NAMES_PER_DAY);
        assert.deepEqual([totals["host:other"], totals["score:other:50"]], [180, 180]);
      }
    },
  },
  {
    name: "an action's scores share one place, no action has its own, and `other` takes none",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const actions = (from: number, count: number, score: string): Metric[] =>
        Array.from({ length: count }, (_, index): Metric => `score:a${from + index}:${score}`);
      await countAt(store, siteKey, T0, ["score:other:10", ...actions(0, 20, "10"), ...actions(0, 20, "90")]);
      await countAt(store, siteKey, T0, ["score:late:10", "score::10", "score:a7:50"]);
      const [totals] = await readTotals(store, siteKey);
      assert.deepEqual(
        totals,
        Object.fromEntries([
          ...[...actions(0, 20, "10"), ...actions(0, 20, "90"), "score::10", "score:a7:50"].map((name) => [name, 1]),
          ["score:other:10", 2],
        ]),
      );
    },
  },
  {
    name: "each site, kind and day (UTC) has places of its own, and a late count of a day finds that day's names",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await countAt(store, siteKey, DAY_0 + DAY - 1, hosts(0, 25));
      await countAt(store, siteKey, DAY_0 + DAY, [...hosts(20, 25), "score:h44:50"]);
      await countAt(store, siteKey, DAY_0, [...hosts(0, 1), ...hosts(40, 1)]);
      const days = await readRows(store, siteKey, "day");
      assert.deepEqual(
        [days[`${DAY_0} host:other`], days[`${DAY_0 + DAY} host:other`], days[`${DAY_0} host:h0.example.com`]],
        [6, 5, 2],
      );
      assert.equal(days[`${DAY_0 + DAY} score:h44:50`], 1);
    },
  },
];
