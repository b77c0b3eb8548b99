import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  MAX_NAMES_PER_DAY,
  type Metric,
  OTHER_NAME,
  type SiteSum,
  splitMetric,
} from "@stile/core/domain/statistics/metrics";
import { startOfPeriod } from "@stile/core/domain/statistics/periods";
import type {
  Statistics,
  StatisticsQuery,
  TimedCount,
} from "@stile/core/ports/statistics/statistics";
import type { Store } from "@stile/core/ports/store";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import type { Guarantee } from "../contract-fixtures.ts";
import { NAME_GUARANTEES, RESERVED_NAME_GUARANTEES } from "./statistic-names-contract.ts";
import { RESOLUTION_RACES } from "./statistics-contract.ts";

/** Minutes are in one store. Hours and days follow in another, a turn of the event loop later. */
function createTornStore(): Store {
  const minutes = createMemoryStore();
  const later = createMemoryStore();
  const addLater = async (batch: readonly SiteSum[]): Promise<void> => {
    await nextTurn();
    await later.statistics.add(batch);
  };
  const of = ({ resolution }: StatisticsQuery): Statistics =>
    (resolution === "minute" ? minutes : later).statistics;
  let held: SiteSum[] = [];
  return {
    ...minutes,
    sites: {
      ...minutes.sites,
      insertAccount: async (account) => {
        await Promise.all([minutes, later].map(({ sites }) => sites.insertAccount(account)));
      },
      insertSite: async (site) => {
        await later.sites.insertSite(site);
        return await minutes.sites.insertSite(site);
      },
    },
    tokens: {
      ...minutes.tokens,
      redeem: async (redemption) => {
        const outcome = await minutes.tokens.redeem(redemption);
        const { siteKey, nowMs: atMs } = redemption;
        if (outcome.kind === "spent")
          await addLater([{ siteKey, metric: "token_redeemed", atMs, count: 1 }]);
        return outcome;
      },
    },
    statistics: {
      ...minutes.statistics,
      count: (entry) => void held.push({ ...entry, count: 1 }),
      flush: async () => {
        const batch = held;
        held = [];
        await minutes.statistics.add(batch);
        await addLater(batch);
      },
      readSeries: (query) => of(query).readSeries(query),
      readSums: (query) => of(query).readSums(query),
    },
  };
}

/** Gives the places of a day to the first names that come, whichever visitor sends them. */
function createFirstComeStore(maxPlaces: number): Store {
  const store = createMemoryStore();
  const counted: SiteSum[] = [];
  const known = new Set<string>();
  const settle = ({ siteKey, metric, atMs }: SiteSum): Metric => {
    const { kind, name } = splitMetric(metric);
    if (kind !== "host" && kind !== "score") return metric;
    const chosen = kind === "host" ? name : name.slice(0, name.lastIndexOf(":"));
    if (chosen === "" || chosen === OTHER_NAME) return metric;
    const scope = `${siteKey} ${kind} ${startOfPeriod("day", atMs)} `;
    const places = [...known].filter((key) => key.startsWith(scope)).length;
    if (!known.has(scope + chosen) && places >= maxPlaces) {
      return `${kind}:${OTHER_NAME}${name.slice(chosen.length)}` as Metric;
    }
    known.add(scope + chosen);
    return metric;
  };
  const find = (query: StatisticsQuery): TimedCount[] => {
    const { siteKey, resolution, kinds, fromMs, toMs } = query;
    const found = counted
      .filter((sum) => sum.siteKey === siteKey && kinds.includes(splitMetric(sum.metric).kind))
      .map(({ metric, atMs, count }) => ({
        startMs: startOfPeriod(resolution, atMs),
        metric,
        count,
      }))
      .filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
    const sums = new Map<string, TimedCount>();
    for (const one of found) {
      const key = `${one.startMs} ${one.metric}`;
      sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
    }
    return [...sums.values()];
  };
  const add = async (batch: readonly SiteSum[]): Promise<void> => {
    for (const sum of batch) counted.push({ ...sum, metric: settle(sum) });
  };
  return {
    ...store,
    challenges: {
      spend: async (spend) => {
        const outcome = await store.challenges.spend(spend);
        const { siteKey, nowMs: atMs, onSpent } = spend;
        await add(onSpent.map((metric) => ({ siteKey, metric, atMs, count: 1 })));
        return outcome;
      },
    },
    statistics: {
      ...store.statistics,
      add,
      readSeries: async (query) => find(query),
      readSums: async (query) => {
        const sums = new Map<Metric, number>();
        for (const { metric, count } of find(query))
          sums.set(metric, (sums.get(metric) ?? 0) + count);
        return [...sums].map(([metric, count]) => ({ metric, count }));
      },
    },
  };
}

const CASES: readonly { mistake: string; guarantees: readonly Guarantee[]; create: () => Store }[] =
  [
    {
      mistake: "writes hours and days after the minutes",
      guarantees: RESOLUTION_RACES,
      create: createTornStore,
    },
    {
      mistake: "lets a 21st name through",
      guarantees: NAME_GUARANTEES,
      create: () => createFirstComeStore(MAX_NAMES_PER_DAY + 1),
    },
    {
      mistake: "gives places to the first names that come",
      guarantees: RESERVED_NAME_GUARANTEES,
      create: () => createFirstComeStore(MAX_NAMES_PER_DAY),
    },
  ];

for (const { mistake, guarantees, create } of CASES) {
  test(`runs at least one guarantee against a store that ${mistake}`, () => {
    assert.ok(guarantees.length > 0);
  });
  for (const { name, check } of guarantees) {
    test(`catches a store that ${mistake}: ${name}`, async () => {
      await assert.rejects(check(create()), assert.AssertionError);
    });
  }
}
