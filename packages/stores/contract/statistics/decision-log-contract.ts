import assert from "node:assert/strict";
import { asDeleted } from "@stile/core/domain/site/site";
import {
  DECISION_DAYS,
  type Decision,
  type LogEntry,
  MAX_DECISIONS_PER_SITE,
  toDecisionId,
} from "@stile/core/domain/statistics/decision";
import type { DecisionQuery } from "@stile/core/ports/statistics/decision-log";
import type { Store } from "@stile/core/ports/store";
import { newEntry } from "../account/account-fixtures.ts";
import { type Guarantee, newSecret, newSite, seedSite, T0 } from "../contract-fixtures.ts";

const DAY = 86_400_000;

/**
 * The `number`-th decision of a site, a second after the one before; `over` replaces parts of it.
 */
export function decisionOf(
  siteKey: string,
  number: number,
  over: Partial<Decision> = {},
): Decision {
  const atMs = over.atMs ?? T0 + number * 1000;
  return {
    siteKey,
    decisionId: toDecisionId(atMs, Uint8Array.of(0, number >> 16, number >> 8, number)),
    atMs,
    requestId: `request-${number}`,
    source: "widget",
    recommendation: "allow",
    outcome: "token",
    score: 0.05,
    contributions: [{ flag: "velocity_ip", weight: 0.5 }],
    action: "login",
    host: "www.example.com",
    device: "desktop",
    solveMs: 812,
    label: null,
    ...over,
  };
}

/** Appends entries and flushes them. */
export async function append(store: Store, decisions: readonly LogEntry[]): Promise<void> {
  for (const decision of decisions) store.decisions.append(decision);
  await store.decisions.flush();
}

/** The numbers of the listed decisions, from their request ids. */
export async function listed(
  store: Store,
  siteKey: string,
  query: Partial<DecisionQuery> = {},
): Promise<number[]> {
  const decisions = await store.decisions.list({ siteKey, limit: 100_000, ...query });
  return decisions.map(({ requestId }) => Number(requestId.slice("request-".length)));
}

/** The guarantees of every log of decisions. */
export const DECISION_GUARANTEES: readonly Guarantee[] = [
  {
    name: "returns decisions as they were written, after a flush, newest first",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const bare = {
        action: null,
        host: null,
        solveMs: null,
        contributions: [],
        source: "score",
        outcome: "answered",
      };
      const signed = { signedAgent: { name: 'Otter\'s "bot"', isLetThrough: true } };
      const decisions = [
        decisionOf(siteKey, 1),
        decisionOf(siteKey, 2, bare as Partial<Decision>),
        decisionOf(siteKey, 3, signed),
      ];
      await append(store, [...decisions].reverse());
      assert.deepEqual(
        await store.decisions.list({ siteKey, limit: 10 }),
        [...decisions].reverse(),
      );
    },
  },
  {
    name: "returns pages, by recommendation and by request, of one site only",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const other = newSite();
      await store.sites.insertSite(other);
      const blocked = { recommendation: "block", outcome: "blocked" } as const;
      const decisions = [1, 2, 3, 4, 5, 6].map((number) =>
        decisionOf(siteKey, number, number % 2 === 0 ? blocked : {}),
      );
      await append(store, [...decisions, decisionOf(other.siteKey, 7)]);
      assert.deepEqual(await listed(store, siteKey, { limit: 2 }), [6, 5]);
      assert.deepEqual(
        await listed(store, siteKey, { limit: 2, beforeId: decisions[4]?.decisionId }),
        [4, 3],
      );
      assert.deepEqual(await listed(store, siteKey, { show: "block" }), [6, 4, 2]);
      const older = { show: "block", beforeId: decisions[5]?.decisionId } as const;
      assert.deepEqual(await listed(store, siteKey, { ...older, limit: 1 }), [4]);
      assert.deepEqual(await listed(store, siteKey, { requestId: "request-3" }), [3]);
      assert.deepEqual(await listed(store, siteKey, { requestId: "request-7" }), []);
    },
  },
  {
    name: "sets, changes and removes a label, of the named site only",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const other = newSite();
      await store.sites.insertSite(other);
      const decision = decisionOf(siteKey, 1);
      const { decisionId } = decision;
      await append(store, [decision]);
      for (const label of ["bot", "person", null] as const) {
        assert.equal(await store.decisions.setLabel({ siteKey, decisionId, label }), true);
        assert.deepEqual(await store.decisions.list({ siteKey, limit: 1 }), [
          { ...decision, label },
        ]);
      }
      assert.equal(
        await store.decisions.setLabel({ siteKey: other.siteKey, decisionId, label: "bot" }),
        false,
      );
      assert.equal(
        await store.decisions.setLabel({ siteKey, decisionId: `${decisionId}0`, label: "bot" }),
        false,
      );
      assert.deepEqual(await store.decisions.list({ siteKey, limit: 1 }), [decision]);
    },
  },
  {
    name: "logs a new label with its author and the label before, and nothing if it is the same or none was set (D16, operator)",
    check: async (store) => {
      const site = await seedSite(store);
      const { siteKey, accountId } = site;
      const decision = decisionOf(siteKey, 1);
      const { decisionId } = decision;
      await append(store, [decision]);
      const label = async (actor: string, label: "bot" | "person" | null, id = decisionId) => {
        const by = {
          action: "decision_labelled",
          actor: { userId: null, name: actor },
          changes: [],
        } as const;
        const entry = newEntry({ accountId, siteKey, ...by });
        return await store.decisions.setLabel({ siteKey, decisionId: id, label }, entry);
      };
      assert.equal(await label("nobody", null), true);
      assert.equal(await label("stranger", "bot", `${decisionId}0`), false);
      assert.equal(await label("Ada", "bot"), true);
      assert.equal(await label("Bob", "person"), true);
      assert.equal(await label("Bob", "person"), true);
      assert.equal(await label("Ada", null), true);
      const entries = await store.auditLog.list(accountId, { limit: 9 });
      assert.deepEqual(
        entries.map(({ actor, changes }) => [actor.name, changes]),
        [
          ["Ada", [{ field: "label", before: "person", after: null }]],
          ["Bob", [{ field: "label", before: "bot", after: "person" }]],
          ["Ada", [{ field: "label", before: null, after: "bot" }]],
        ],
      );
    },
  },
  {
    name: "keeps at most 200 decisions per site and second of a flood, and 2,000 in all between two flushes",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const sites = Array.from({ length: 20 }, () => newSite());
      for (const site of sites) await store.sites.insertSite(site);
      const flood = (key: string, second: number): Decision[] =>
        Array.from({ length: 300 }, (_, number) =>
          decisionOf(key, number, { atMs: T0 + second * 1000 + number }),
        );
      await append(store, [...flood(siteKey, 0), ...flood(siteKey, 1)]);
      assert.equal((await listed(store, siteKey)).length, 400);
      await append(store, flood(siteKey, 1));
      assert.equal(
        (await listed(store, siteKey)).length,
        400,
        "a flush within the second raises no limit",
      );
      await append(
        store,
        sites.flatMap((site) => flood(site.siteKey, 2)),
      );
      const counts = await Promise.all(
        sites.map(async (site) => (await listed(store, site.siteKey)).length),
      );
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        2_000,
      );
    },
  },
  {
    name: "removes decisions after 30 days or beyond a site's newest 20,000, counts labelled ones separately, and removes nothing earlier",
    check: async (store) => {
      const { siteKey } = await seedSite(store);
      const other = newSite();
      await store.sites.insertSite(other);
      await append(store, [decisionOf(siteKey, 0), decisionOf(other.siteKey, 0)]);
      const { decisionId } = decisionOf(siteKey, 0);
      assert.ok(await store.decisions.setLabel({ siteKey, decisionId, label: "person" }));
      for (let from = 1; from <= MAX_DECISIONS_PER_SITE; from += 2_000) {
        await append(
          store,
          Array.from({ length: 2_000 }, (_, index) => decisionOf(siteKey, from + index)),
        );
      }
      await append(store, [decisionOf(siteKey, MAX_DECISIONS_PER_SITE + 1)]);
      assert.equal(await store.decisions.prune(T0), 1);
      const [labelled, ...kept] = (await listed(store, siteKey)).toReversed();
      assert.equal(labelled, 0, "a flood of visits evicts no labelled decision");
      assert.deepEqual(
        [kept.length, kept[0], kept.at(-1)],
        [MAX_DECISIONS_PER_SITE, 2, MAX_DECISIONS_PER_SITE + 1],
      );
      assert.deepEqual(await listed(store, other.siteKey), [0]);
      assert.equal(await store.decisions.prune(T0 + DECISION_DAYS * DAY), 0);
      assert.equal(await store.decisions.prune(T0 + DECISION_DAYS * DAY + 1), 2);
      assert.deepEqual(await listed(store, other.siteKey), []);
      assert.equal(await store.decisions.prune(T0 + DECISION_DAYS * DAY + 5_001), 4);
    },
  },
  {
    name: "keeps nothing of a site that does not exist, and purges a site's decisions with it (D12, states)",
    check: async (store) => {
      const site = await seedSite(store);
      await append(store, [decisionOf(site.siteKey, 1), decisionOf("pk_unknown", 2)]);
      assert.deepEqual(await listed(store, "pk_unknown"), []);
      await store.sites.replaceSite(asDeleted(site, T0), 1);
      await store.sites.purgeSites(T0 + 1);
      assert.deepEqual(await listed(store, site.siteKey), []);
    },
  },
];

/** The guarantees of every store of key usage. */
export const KEY_USAGE_GUARANTEES: readonly Guarantee[] = [
  {
    name: "returns when a secret key was last accepted, after a flush, without keys that were never used (D12, states)",
    check: async (store) => {
      const [used, unused] = [newSecret(), newSecret()];
      await seedSite(store, { secretKeys: [used, unused] });
      const digests = [used.digest, unused.digest, "unknown"];
      store.keyUsage.record(used.digest, T0);
      store.keyUsage.record(used.digest, T0 + 5);
      await store.keyUsage.flush();
      assert.deepEqual([...(await store.keyUsage.findLastUses(digests))], [[used.digest, T0 + 5]]);
      store.keyUsage.record(used.digest, T0 + 1);
      await store.keyUsage.flush();
      assert.deepEqual([...(await store.keyUsage.findLastUses(digests))], [[used.digest, T0 + 5]]);
      assert.deepEqual([...(await store.keyUsage.findLastUses([]))], []);
    },
  },
  {
    name: "keeps the last uses of a site's keys when its settings change, and records no unknown keys",
    check: async (store) => {
      const site = await seedSite(store);
      const [secret] = site.secretKeys;
      assert.ok(secret !== undefined);
      store.keyUsage.record(secret.digest, T0);
      store.keyUsage.record("unknown", T0);
      await store.keyUsage.flush();
      await store.sites.replaceSite({ ...site, isEnabled: false, revision: 2 }, 1);
      await store.sites.purgeSites(T0);
      assert.deepEqual(
        [...(await store.keyUsage.findLastUses([secret.digest, "unknown"]))],
        [[secret.digest, T0]],
      );
    },
  },
];
