// Data are taken away, or put back as they were, under an engine that runs on: what was spent stays spent.
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import {
  startReplica,
  startValkey,
  type ThrowAwayValkey,
  type ValkeyPlan,
} from "@stile/testkit/valkey/throw-away-valkey";
import type { Redis } from "ioredis";
import { FUNCTIONS } from "../../valkey/engine/valkey-functions.ts";
import { GENERATION_KEY, marksName, rateNames, siteKeyName } from "../../valkey/engine/valkey-keys.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

type Names = readonly (readonly [name: Buffer, content: Buffer])[];

async function dumpAll(client: Redis): Promise<Names> {
  const names = await client.keysBuffer("*");
  return await Promise.all(names.map(async (name) => [name, await client.dumpBuffer(name)] as const));
}

/** An engine with one node, whose clock stands before all tokens until something breaks. */
async function openOne(context: TestContext, settings: ValkeyPlan["settings"] = []) {
  const engine = await startValkey({ appendFsync: "always", settings });
  const databaseUrl = await postgres.emptyDatabase();
  const clock = { nowMs: 0 };
  const open = async (url = engine.url): Promise<Store> => {
    const ofDatabase = { url: databaseUrl, deadlineMs: GENEROUS_MS };
    const plan = { url, nowMs: () => clock.nowMs, deadlineMs: GENEROUS_MS };
    const store = await openValkeyStore({ ...plan, postgres: ofDatabase });
    context.after(() => store.close());
    return store;
  };
  context.after(engine.stop);
  const store = await open();
  const site = await seedSite(store);
  assert.equal((await store.tokens.redeem(redemptionOf(site))).kind, "spent");
  return { engine, client: await engine.connect(), clock, store, site, open };
}

type Loss = {
  readonly name: string;
  readonly settings?: ValkeyPlan["settings"];
  /** Spends when the copy was made, and then loses that. */
  readonly lose: (client: Redis, spend: () => Promise<void>, engine: ThrowAwayValkey) => Promise<void>;
};

const LOSSES: readonly Loss[] = [
  {
    name: "it is emptied, and a copy is put back by RESTORE",
    lose: async (client, spend) => {
      const copy = await dumpAll(client);
      await spend();
      await client.flushall();
      for (const [name, content] of copy) await client.restore(name, 0, content);
    },
  },
  {
    name: "another database with a copy takes its place",
    lose: async (client, spend) => {
      for (const name of await client.keysBuffer("*")) await client.call("COPY", name, name, "DB", 1);
      await spend();
      await client.call("SWAPDB", 0, 1);
    },
  },
  {
    name: "it loads an older file",
    settings: [["enable-debug-command", "yes"]],
    lose: async (client, spend) => {
      await client.save();
      await spend();
      await client.call("DEBUG", "RELOAD", "NOSAVE");
    },
  },
  {
    name: "it follows a copy for a moment, and leads again",
    lose: async (client, spend, engine) => {
      const copy = await startReplica(engine);
      await (await copy.connect()).call("REPLICAOF", "NO", "ONE");
      await spend();
      await client.call("REPLICAOF", "127.0.0.1", copy.port);
      for (const sinceMs = performance.now(); !/master_link_status:up/.test(await client.info("replication")); ) {
        assert.ok(performance.now() - sinceMs < GENEROUS_MS, "it does not follow");
      }
      await client.call("REPLICAOF", "NO", "ONE");
      await copy.stop();
    },
  },
  {
    name: "its policy lets it evict some, and is corrected",
    lose: async (client, spend) => {
      await spend();
      const before = await dumpAll(client);
      const [, used] = /used_memory:(\d+)/.exec(await client.info("memory")) ?? [];
      await client.config("SET", "maxmemory-policy", "allkeys-random");
      await client.config("SET", "maxmemory", Number(used) - 20_000);
      await client.set("x", "y").catch(() => {});
      await client.config("SET", "maxmemory", "0");
      await client.config("SET", "maxmemory-policy", "noeviction");
      assert.doesNotMatch(await client.info("stats"), /evicted_keys:0/);
      // It may have been any; those that are used most are usually not chosen.
      for (const [name, content] of before) {
        if (!/:(tokens|challenges):/.test(name.toString())) await client.restore(name, 0, content, "REPLACE");
      }
    },
  },
  {
    name: "somebody removes marks to make room",
    lose: async (client, spend) => {
      await spend();
      await client.unlink(await client.keys("stile:*:tokens:*"));
      await client.unlink(await client.keys("stile:*:challenges:*"));
    },
  },
];

for (const { name, settings, lose } of LOSSES) {
  test(`${name}: nothing is spent again, at a node that runs or a new one, and what is issued later is good (D3, D9)`, async (context) => {
    const { engine, client, clock, store, site, open } = await openOne(context, settings);
    const tokens = Array.from({ length: 60 }, (_, at) =>
      redemptionOf(site, { retainUntilMs: T0 + 400_000 + at * 999 }),
    );
    const challenges = tokens.map(({ retainUntilMs }) => spendOf(site, { retainUntilMs }));
    const spend = async (): Promise<void> => {
      for (const token of tokens) assert.equal((await store.tokens.redeem(token)).kind, "spent");
      for (const challenge of challenges) assert.equal(await store.challenges.spend(challenge), "spent");
    };
    clock.nowMs = T0 + 1_000;
    await lose(client, spend, engine);
    for (const node of [store, await open()]) {
      for (const token of tokens) assert.notEqual((await untilAnswered(() => node.tokens.redeem(token))).kind, "spent");
      for (const one of challenges)
        assert.equal(await untilAnswered(() => node.challenges.spend(one)), "already_spent");
    }
    const later = redemptionOf(site, { issuedAtMs: T0 + 10_000 });
    assert.equal((await untilAnswered(() => store.tokens.redeem(later))).kind, "spent");
  });
}

test("a copy from before the last beginning is not taken for that one (D3)", async (context) => {
  const { client, clock, store, site } = await openOne(context);
  const copy = await dumpAll(client);
  clock.nowMs = T0 + 1_000;
  await client.flushall();
  const token = redemptionOf(site, { issuedAtMs: T0 + 10_000 });
  assert.equal((await untilAnswered(() => store.tokens.redeem(token))).kind, "spent");
  clock.nowMs = T0 + 20_000;
  await client.flushall();
  for (const [name, content] of copy) await client.restore(name, 0, content);
  assert.equal((await untilAnswered(() => store.tokens.redeem(token))).kind, "not_repeated");
});

test("who finds that marks are missing spends nothing, and no node does before another beginning (D3)", async (context) => {
  const { client, store, site, open } = await openOne(context);
  const other = await open();
  const token = redemptionOf(site);
  assert.equal((await store.tokens.redeem(token)).kind, "spent");
  await client.unlink(marksName(site.siteKey, "tokens", token.retainUntilMs));
  await assert.rejects(store.tokens.redeem(redemptionOf(site)), isUnavailable);
  await assert.rejects(other.tokens.redeem(redemptionOf(site)), isUnavailable);
});

test("a server with a copy does not know the beginning of the one behind which it is asked (D3)", async (context) => {
  const { engine, client, site } = await openOne(context);
  const copy = await startReplica(engine);
  context.after(copy.stop);
  const there = await copy.connect();
  await there.call("REPLICAOF", "NO", "ONE");
  const until = T0 + 360_000;
  const keys = [
    siteKeyName(site.siteKey),
    marksName(site.siteKey, "tokens", until),
    ...rateNames(`redeemed:${site.siteKey}`, T0),
  ];
  const beginning = (await there.hget(GENERATION_KEY, "beginning")) ?? "";
  assert.equal(beginning, await client.hget(GENERATION_KEY, "beginning"));
  const args = [beginning, site.revision, "id", until, T0, 10, "", 0, T0, 0];
  assert.deepEqual(await there.call("FCALL", FUNCTIONS.redeem, keys.length, ...keys, ...args), ["other_beginning"]);
});

test("installations in two databases of one engine do not disturb each other", async (context) => {
  const { engine, store, site, open } = await openOne(context);
  const other = await open(`${engine.url}/1`);
  for (let round = 0; round < 3; round++) {
    for (const node of [store, other]) assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  }
});
