import assert from "node:assert/strict";
import { MAX_NAMES_PER_DAY, type Metric } from "@stile/core/domain/statistics/metrics";
import { PERIOD_MS } from "@stile/core/domain/statistics/periods";
import { type Guarantee, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { countAt, readRows, readTotals } from "./counting.ts";

const DAY = PERIOD_MS.day;
/** Midnight (UTC) before T0. */
const DAY_0 = Math.floor(T0 / DAY) * DAY;

const hosts = (from: number, count: number): Metric[] =>
  Array.from({ length: count }, (_, index): Metric => `host:h${from + index}.example.com`);

/** A store breaks these if it counts too many visitor-chosen names separately. */
export const NAME_GUARANTEES: readonly Guarantee[] = [
  {
    name: "counts the first 20 hosts of a site and day separately, and the others as `other`",
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
    name: "counts the first names of a batch separately, and loses no count",
    check: async (store) => {
      const site = await seedSite(store);
      const spends = hosts(0, 200).map((name, index) =>
        spendOf(site, { onSpent: [name, `score:a${index}:50`] }),
      );
      await Promise.all(spends.map((spend) => store.challenges.spend(spend)));
      for (const totals of await readTotals(store, site.siteKey)) {
        const names = Object.keys(totals);
        assert.equal(names.filter((name) => name.startsWith("host:h")).length, MAX_NAMES_PER_DAY);
        assert.equal(names.filter((name) => name.startsWith("score:a")).length, MAX_NAMES_PER_DAY);
        assert.deepEqual([totals["host:other"], totals["score:other:50"]], [180, 180]);
      }
    },
  },
  {
    name: "gives the scores of an action one place, counts scores without an action, and gives `other` none",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const actions = (from: number, count: number, score: string): Metric[] =>
        Array.from({ length: count }, (_, index): Metric => `score:a${from + index}:${score}`);
      await countAt(store, siteKey, T0, [
        "score:other:10",
        ...actions(0, 20, "10"),
        ...actions(0, 20, "90"),
      ]);
      await countAt(store, siteKey, T0, ["score:late:10", "score::10", "score:a7:50"]);
      const [totals] = await readTotals(store, siteKey);
      assert.deepEqual(
        totals,
        Object.fromEntries([
          ...[...actions(0, 20, "10"), ...actions(0, 20, "90"), "score::10", "score:a7:50"].map(
            (name) => [name, 1],
          ),
          ["score:other:10", 2],
        ]),
      );
    },
  },
  {
    name: "gives each site, kind and day (UTC) its own places, also for late counts of a day",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await countAt(store, siteKey, DAY_0 + DAY - 1, hosts(0, 25));
      await countAt(store, siteKey, DAY_0 + DAY, [...hosts(20, 25), "score:h44:50"]);
      await countAt(store, siteKey, DAY_0, [...hosts(0, 1), ...hosts(40, 1)]);
      const days = await readRows(store, siteKey, "day");
      assert.deepEqual(
        [
          days[`${DAY_0} host:other`],
          days[`${DAY_0 + DAY} host:other`],
          days[`${DAY_0} host:h0.example.com`],
        ],
        // Three quarters of the second day's places are reserved for the names of the first.
        [6, 20, 2],
      );
      assert.equal(days[`${DAY_0 + DAY} score:h44:50`], 1);
    },
  },
  {
    name: "reserves no places for one day's junk from the day after the next, and never counts more than 20 separately",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await countAt(store, siteKey, DAY_0, hosts(100, 40));
      await countAt(store, siteKey, DAY_0 + 2 * DAY, hosts(0, 40));
      const days = await readRows(store, siteKey, "day");
      const kept = hosts(0, 40).filter((name) => days[`${DAY_0 + 2 * DAY} ${name}`] === 1);
      assert.deepEqual(kept, hosts(0, MAX_NAMES_PER_DAY));
      assert.equal(days[`${DAY_0 + 2 * DAY} host:other`], 20);
    },
  },
];

const actions = (from: number, count: number): Metric[] =>
  Array.from({ length: count }, (_, index): Metric => `score:a${from + index}:50`);

/** A store breaks these if it gives the places of a day to the first names that come. */
export const RESERVED_NAME_GUARANTEES: readonly Guarantee[] = [
  {
    name: "keeps the places of yesterday's hosts and actions on a day that begins with a flood",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const honest = [...hosts(0, 10), ...actions(0, 10)];
      await countAt(store, siteKey, DAY_0, honest);
      await countAt(store, siteKey, DAY_0 + DAY, [
        ...hosts(100, 100),
        ...actions(100, 100),
        ...honest,
      ]);
      const days = await readRows(store, siteKey, "day");
      for (const name of honest) assert.equal(days[`${DAY_0 + DAY} ${name}`], 1, name);
      const listed = Object.keys(days).filter((key) => key.startsWith(`${DAY_0 + DAY} host:h`));
      assert.equal(listed.length, MAX_NAMES_PER_DAY);
      assert.equal(days[`${DAY_0 + DAY} score:other:50`], 90);
    },
  },
  {
    name: "prefers names seen more often, or for days, to junk seen yesterday",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await countAt(store, siteKey, DAY_0, hosts(0, 8));
      await countAt(store, siteKey, DAY_0 + DAY, [
        ...hosts(0, 8),
        ...hosts(20, 3),
        ...hosts(20, 3),
      ]);
      await countAt(store, siteKey, DAY_0 + DAY, hosts(100, 100));
      await countAt(store, siteKey, DAY_0 + 2 * DAY, [
        ...hosts(200, 100),
        ...hosts(0, 8),
        ...hosts(20, 3),
      ]);
      const days = await readRows(store, siteKey, "day");
      for (const name of [...hosts(0, 8), ...hosts(20, 3)])
        assert.equal(days[`${DAY_0 + 2 * DAY} ${name}`], 1, name);
    },
  },
  {
    name: "prefers names of weekdays or of every day to junk names with one visit a day",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const [daily, ofWeekdays, junk] = [hosts(0, 4), hosts(20, 7), hosts(100, 20)];
      const add = async (
        day: number,
        ...counted: readonly (readonly [number, readonly Metric[]])[]
      ) => {
        const atMs = DAY_0 + day * DAY;
        const sums = counted.flatMap(([count, metrics]) =>
          metrics.map((metric) => ({ siteKey, metric, atMs, count })),
        );
        await store.statistics.add(sums);
      };
      for (const day of [0, 1, 2, 3, 4]) await add(day, [2, daily], [10, ofWeekdays], [1, junk]);
      for (const day of [5, 6]) await add(day, [2, daily], [1, junk]);
      await add(7, [1, junk], [1, hosts(200, 40)]);
      await add(7, [1, daily], [1, ofWeekdays]);
      const days = await readRows(store, siteKey, "day");
      for (const name of [...daily, ...ofWeekdays])
        assert.equal(days[`${DAY_0 + 7 * DAY} ${name}`], 1, name);
    },
  },
  {
    name: "counts the site's own domains separately, with or without www, however full the day is",
    check: async (store) => {
      const { siteKey, domains } = await seedSite(store);
      const own = domains.flatMap((domain): Metric[] => [`host:${domain}`, `host:www.${domain}`]);
      await countAt(store, siteKey, T0, [...hosts(0, 100), ...own, ...own]);
      const [totals] = await readTotals(store, siteKey);
      for (const name of own) assert.equal(totals?.[name], 2, name);
      assert.equal(totals?.["host:other"], 80);
    },
  },
];
