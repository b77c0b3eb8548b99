import assert from "node:assert/strict";
import {
  DECISION_DAYS,
  type DoorRefusal,
  isDecision,
  MAX_REFUSALS_PER_SITE,
  toDecisionId,
} from "@stile/core/domain/statistics/decision";
import { type Guarantee, newSite, seedSite, T0 } from "../contract-fixtures.ts";
import { append, decisionOf, listed } from "./decision-log-contract.ts";

const DAY = 86_400_000;

/** The `number`-th refusal of a site at the HTTP layer, a second after the one before. */
function refusalOf(siteKey: string, number: number, over: Partial<DoorRefusal> = {}): DoorRefusal {
  const atMs = over.atMs ?? T0 + number * 1000;
  return {
    siteKey,
    decisionId: toDecisionId(atMs, Uint8Array.of(1, number >> 16, number >> 8, number)),
    atMs,
    requestId: `request-${number}`,
    outcome: "refused",
    reason: "domain_mismatch",
    action: null,
    host: "forgotten.example",
    ...over,
  };
}

/** The guarantees of every log of decisions for refusals at the HTTP layer. */
export const REFUSAL_GUARANTEES: readonly Guarantee[] = [
  {
    name: "lists refusals at the HTTP layer among the decisions, finds them by request, and gives them no label",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const disabled = { reason: "site_disabled", host: null, action: "login" } as const;
      const entries = [
        decisionOf(siteKey, 1),
        refusalOf(siteKey, 2),
        refusalOf(siteKey, 3, disabled),
      ];
      await append(store, entries);
      assert.deepEqual(await store.decisions.list({ siteKey, limit: 10 }), [...entries].reverse());
      assert.deepEqual(await listed(store, siteKey, { show: "refused" }), [3, 2]);
      assert.deepEqual(await listed(store, siteKey, { show: "allow" }), [1]);
      assert.deepEqual(await store.decisions.list({ siteKey, limit: 10, requestId: "request-2" }), [
        entries[1],
      ]);
      const { decisionId } = refusalOf(siteKey, 2);
      assert.equal(await store.decisions.setLabel({ siteKey, decisionId, label: "bot" }), false);
      assert.deepEqual(await store.decisions.list({ siteKey, limit: 10 }), [...entries].reverse());
    },
  },
  {
    name: "keeps 60 refusals per site and minute of a flood, 20 of them alike, and no fewer decisions",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const atMs = T0 + 5;
      const flood = (from: number, host: (number: number) => string): DoorRefusal[] =>
        Array.from({ length: 5_000 }, (_, at) =>
          refusalOf(siteKey, from + at, { atMs, host: host(at) }),
        );
      await append(store, [
        ...flood(0, () => "evil.example"),
        refusalOf(siteKey, 1, { atMs: T0, reason: "site_disabled" }),
        ...Array.from({ length: 200 }, (_, number) => decisionOf(siteKey, number, { atMs })),
      ]);
      const kept = async () => {
        const entries = await store.decisions.list({ siteKey, limit: 100_000 });
        const decisions = entries.filter(isDecision).length;
        return [decisions, entries.length - decisions];
      };
      assert.deepEqual(await kept(), [200, 21]);
      await append(
        store,
        flood(5_000, (number) => `${number}.example`),
      );
      assert.deepEqual(await kept(), [200, 60]);
      await append(store, [refusalOf(siteKey, 9, { atMs: T0 + 60_000 })]);
      assert.deepEqual(await kept(), [200, 61], "the next minute has room again");
      const sites = Array.from({ length: 20 }, () => newSite());
      for (const site of sites) await store.sites.insertSite(site);
      const all = sites.flatMap((site) =>
        Array.from({ length: 60 }, (_, number) =>
          refusalOf(site.siteKey, number, { atMs: T0 + 120_000, host: `${number}.example` }),
        ),
      );
      await append(store, [...all, decisionOf(siteKey, 120)]);
      const counts = await Promise.all(
        sites.map(async (site) => (await listed(store, site.siteKey)).length),
      );
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        500,
      );
      assert.deepEqual(await kept(), [201, 61]);
    },
  },
  {
    name: "removes refusals beyond the newest 5,000 of a site, and evicts no decision",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      await append(store, [decisionOf(siteKey, 0)]);
      for (let minute = 0; minute * 60 < MAX_REFUSALS_PER_SITE + 60; minute++) {
        const atMs = T0 + minute * 60_000;
        await append(
          store,
          Array.from({ length: 60 }, (_, at) =>
            refusalOf(siteKey, minute * 60 + at, { atMs: atMs + at, host: `${at}.example` }),
          ),
        );
      }
      const before = (await listed(store, siteKey, { show: "refused" })).length;
      assert.equal(await store.decisions.prune(T0 + 1), before - MAX_REFUSALS_PER_SITE);
      const refused = await listed(store, siteKey, { show: "refused" });
      assert.deepEqual([refused.length, refused[0]], [MAX_REFUSALS_PER_SITE, before - 1]);
      assert.deepEqual(await listed(store, siteKey, { show: "allow" }), [0]);
      assert.equal(
        await store.decisions.prune(T0 + DECISION_DAYS * DAY + 1),
        1,
        "the oldest entry is the decision",
      );
    },
  },
  {
    name: "lists the hosts whose pages were refused within a time, most frequent first",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const other = newSite();
      await store.sites.insertSite(other);
      await append(store, [
        refusalOf(siteKey, 1, { host: "old.example" }),
        refusalOf(siteKey, 10, { host: "b.example" }),
        refusalOf(siteKey, 11, { host: "a.example" }),
        refusalOf(siteKey, 12, { host: "twice.example" }),
        refusalOf(siteKey, 13, { host: null }),
        refusalOf(siteKey, 14, { host: "own.example", reason: "site_disabled" }),
        refusalOf(siteKey, 15, { host: "twice.example" }),
        refusalOf(siteKey, 20, { host: "late.example" }),
        refusalOf(other.siteKey, 16, { host: "foreign.example" }),
        decisionOf(siteKey, 17, { host: "scored.example" }),
      ]);
      const asked = { siteKey, fromMs: T0 + 10_000, toMs: T0 + 20_000 };
      const hosts = [
        { host: "twice.example", lastAtMs: T0 + 15_000 },
        { host: "a.example", lastAtMs: T0 + 11_000 },
        { host: "b.example", lastAtMs: T0 + 10_000 },
      ];
      assert.deepEqual(await store.decisions.listRefusedHosts({ ...asked, limit: 10 }), hosts);
      assert.deepEqual(
        await store.decisions.listRefusedHosts({ ...asked, limit: 1 }),
        hosts.slice(0, 1),
      );
      assert.deepEqual(
        await store.decisions.listRefusedHosts({ ...asked, siteKey: "pk_unknown", limit: 10 }),
        [],
      );
    },
  },
  {
    name: "reads hosts from the newest 1,000 refusals only, whatever number is kept",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const asked = { siteKey, fromMs: T0, toMs: T0 + DAY, limit: 1 };
      const appendTwenty = (minute: number) =>
        append(
          store,
          Array.from({ length: 20 }, (_, at) =>
            refusalOf(siteKey, minute * 20 + at, {
              atMs: T0 + minute * 60_000 + at,
              reason: "site_disabled",
            }),
          ),
        );
      await append(store, [refusalOf(siteKey, 0)]);
      for (let minute = 1; minute < 50; minute++) await appendTwenty(minute);
      assert.equal((await store.decisions.listRefusedHosts(asked)).length, 1);
      for (let minute = 50; minute < 60; minute++) await appendTwenty(minute);
      assert.deepEqual(await store.decisions.listRefusedHosts(asked), []);
    },
  },
];
