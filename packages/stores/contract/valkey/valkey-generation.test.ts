import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { FUNCTIONS } from "../../valkey/engine/valkey-functions.ts";
import { GENERATION_KEY, siteKeyName } from "../../valkey/engine/valkey-keys.ts";
import { redemptionOf, seedSite, T0 } from "../contract-fixtures.ts";
import { untilAnswered } from "../until-answered.ts";
import { startTemporaryValkey } from "./temporary-valkey.ts";

const engines = await startTemporaryValkey();
after(engines.stop);
const client = await engines.engine.connect();

async function openTwo(context: TestContext) {
  const url = await engines.empty();
  const nodes = (await Promise.all([engines.open(url), engines.open(url)])) as [Store, Store];
  context.after(() => Promise.all(nodes.map((node) => node.close())));
  return { url, nodes };
}

const readFence = () => client.hget(GENERATION_KEY, "fence");

test("a lesson of a run that the engine does not know any more is not heard: it may have been emptied meanwhile (D3)", async (context) => {
  const [node] = (await openTwo(context)).nodes;
  const site = await seedSite(node);
  await node.tokens.redeem(redemptionOf(site));
  const beginning = (await client.hget(GENERATION_KEY, "beginning")) ?? "";
  const [seconds] = await client.time();
  const learn = () =>
    client.call(
      ...["FCALL", FUNCTIONS.learn, 2, siteKeyName(site.siteKey), GENERATION_KEY],
      ...[0, Number(seconds) * 1000, beginning, site.revision],
    );
  assert.equal(await learn(), "learned");
  await client.flushall();
  assert.equal(await learn(), "other_beginning");
  assert.equal(await client.exists(siteKeyName(site.siteKey)), 0);
});

test("once the engine's history became another, all nodes agree on it after one fence (D3)", async (context) => {
  const { nodes } = await openTwo(context);
  const [here] = nodes;
  const site = await seedSite(here);
  for (const node of nodes) assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  // As when it was made a replica and then a primary again: the process is the same, but it writes another history.
  await client.call("REPLICAOF", "127.0.0.1", "1");
  await client.call("REPLICAOF", "NO", "ONE");
  const third = await engines.open(engines.postgres.engine.urlOf("shared"));
  context.after(() => third.close());
  const all = [...nodes, third];
  for (const node of all) await untilAnswered(() => node.tokens.redeem(redemptionOf(site)));
  const fence = await readFence();
  for (let round = 0; round < 5; round++) {
    for (const node of all) await untilAnswered(() => node.tokens.redeem(redemptionOf(site)));
  }
  assert.equal(await readFence(), fence);
});

test("a belief that the engine's clock, set back, would make longer than the lease is none (D3)", async (context) => {
  const { url, nodes } = await openTwo(context);
  const [node] = nodes;
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  const [seconds] = await client.time();
  await client.hset(siteKeyName(site.siteKey), "until", `${(Number(seconds) + 3_600) * 1_000}`);
  const operator = await engines.postgres.open(url);
  context.after(() => operator.close());
  await operator.sites.replaceSite({ ...site, revision: 2 }, 1);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "site_changed");
});

async function keysInForce({ serviceKeys }: Store): Promise<readonly number[]> {
  return (await serviceKeys.listServiceKeys()).filter(({ isRetired }) => !isRetired).map(({ keyId }) => keyId);
}

test("an engine that was emptied while nodes run retires the keys once, at the next start, and not again (D3)", async (context) => {
  const { url, nodes } = await openTwo(context);
  for (const node of nodes) await node.begin();
  await nodes[0].serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(1) });
  await client.flushall();
  const third = await engines.open(url);
  context.after(() => third.close());
  assert.equal(await third.begin(), "retired");
  await third.serviceKeys.insertServiceKey({ keyId: 2, createdAtMs: T0, wrapped: Uint8Array.of(1) });
  const site = await seedSite(third);
  for (const node of [...nodes, third, ...nodes]) {
    await node.housekeeping.sweep(T0);
    await untilAnswered(() => node.nodes?.follow(async () => {}) ?? Promise.reject());
    await untilAnswered(() => node.tokens.redeem(redemptionOf(site)));
  }
  assert.deepEqual(await keysInForce(third), [2]);
});

test("while nodes do not agree on where what is spent lies, only those that started last spend anything (D3)", async (context) => {
  const { url, nodes } = await openTwo(context);
  const [hot] = nodes;
  const site = await seedSite(hot);
  await hot.begin();
  await hot.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(1) });
  assert.equal((await hot.tokens.redeem(redemptionOf(site))).kind, "spent");
  const cold = await engines.postgres.open(url);
  context.after(() => cold.close());
  assert.equal(await cold.begin(), "retired");
  let loads = 0;
  const follow = (node: Store) =>
    node.nodes?.follow(async () => {
      loads += 1;
    });
  const told = /do not agree on STILE_VALKEY_URL/;
  for (let time = 0; time < 2; time++) {
    await assert.rejects(async () => await follow(hot), told);
    await assert.rejects(hot.tokens.redeem(redemptionOf(site)), StoreUnavailable);
  }
  assert.equal(loads, 0);
  assert.equal((await cold.tokens.redeem(redemptionOf(site))).kind, "spent");
  await hot.begin();
  await assert.rejects(async () => await follow(cold), told);
  await assert.rejects(cold.tokens.redeem(redemptionOf(site)), StoreUnavailable);
  await untilAnswered(async () => await follow(hot));
  assert.equal((await untilAnswered(() => hot.tokens.redeem(redemptionOf(site)))).kind, "spent");
});
