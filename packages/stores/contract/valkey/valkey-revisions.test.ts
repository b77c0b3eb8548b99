import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { FUNCTIONS, LEASE_MS } from "../../valkey/engine/valkey-functions.ts";
import { GENERATION_KEY, siteKeyName } from "../../valkey/engine/valkey-keys.ts";
import { redemptionOf, seedSite, spendOf } from "../contract-fixtures.ts";
import { startTemporaryValkey } from "./temporary-valkey.ts";

const engines = await startTemporaryValkey();
after(engines.stop);

async function openTwo(context: TestContext) {
  const url = await engines.empty();
  const nodes = (await Promise.all([engines.open(url), engines.open(url)])) as [Store, Store];
  context.after(() => Promise.all(nodes.map((node) => node.close())));
  return { url, nodes };
}

const kindOf = async (answer: Promise<{ readonly kind: string }>): Promise<string> => (await answer).kind;

test("a change at one node holds for the next redemption and submission at the other, every time (D3)", async (context) => {
  const { nodes } = await openTwo(context);
  const [here, there] = nodes;
  let site = await seedSite(here);
  for (let round = 0; round < 30; round++) {
    // Both nodes believe the revision by now.
    for (const node of nodes) assert.equal(await kindOf(node.tokens.redeem(redemptionOf(site))), "spent");
    const next = { ...site, revision: site.revision + 1 };
    assert.equal(await here.sites.replaceSite(next, site.revision), "stored");
    assert.equal(await kindOf(there.tokens.redeem(redemptionOf(site))), "site_changed");
    assert.equal(await there.challenges.spend(spendOf(site)), "site_changed");
    site = next;
  }
});

test("while redemptions race a change, none that begins after it was answered is spent under the revision before (D3)", async (context) => {
  const [here, there] = (await openTwo(context)).nodes;
  let site = await seedSite(here);
  for (let round = 0; round < 20; round++) {
    let isAnswered = false;
    const before = site;
    const late: string[] = [];
    const race = async (): Promise<void> => {
      for (let left = 15; left > 0; ) {
        const beganLate = isAnswered;
        const kind = await kindOf(there.tokens.redeem(redemptionOf(before)));
        if (!beganLate) continue;
        late.push(kind);
        left -= 1;
      }
    };
    const racing = [race(), race(), race()];
    site = { ...site, revision: site.revision + 1 };
    await here.sites.replaceSite(site, before.revision);
    isAnswered = true;
    await Promise.all(racing);
    assert.deepEqual(new Set(late), new Set(["site_changed"]));
  }
});

test("who read a revision before a change was told is not heard after it (D3)", async (context) => {
  const [here] = (await openTwo(context)).nodes;
  const site = await seedSite(here);
  await here.tokens.redeem(redemptionOf(site));
  const client = await engines.engine.connect();
  const name = siteKeyName(site.siteKey);
  const beginning = (await client.hget(GENERATION_KEY, "beginning")) ?? "";
  const stamp = Number((await client.hget(name, "stamp")) ?? 0);
  const [seconds] = await client.time();
  assert.equal(await here.sites.replaceSite({ ...site, revision: 2 }, 1), "stored");
  const learn = (seen: number) =>
    client.call("FCALL", FUNCTIONS.learn, 2, name, GENERATION_KEY, seen, Number(seconds) * 1000, beginning, 1);
  assert.equal(await learn(stamp), "changed");
  assert.equal(await kindOf(here.tokens.redeem(redemptionOf(site))), "site_changed");
  // With the current stamp the same lesson would have been accepted: it is the stamp that makes it refused.
  assert.equal(await learn(stamp + 1), "learned");
});

test("a change that nobody told Valkey of holds for who knows it at once, and for all after the lease (D3)", async (context) => {
  const { url, nodes } = await openTwo(context);
  const [node] = nodes;
  const site = await seedSite(node);
  const operator = await engines.postgres.open(url);
  context.after(() => operator.close());
  assert.equal(await kindOf(node.tokens.redeem(redemptionOf(site))), "spent");
  await operator.sites.replaceSite({ ...site, revision: 2 }, 1);
  const sinceMs = performance.now();
  while ((await kindOf(node.tokens.redeem(redemptionOf(site)))) === "spent") {
    assert.ok(performance.now() - sinceMs < LEASE_MS * 15, "the revision before is believed for ever");
  }
  await operator.sites.replaceSite({ ...site, revision: 3 }, 2);
  assert.equal(await kindOf(node.tokens.redeem(redemptionOf({ ...site, revision: 3 }))), "spent");
});

test("a change at a node that does not reach Valkey is answered when no other can believe the revision before (D3)", async (context) => {
  const { url, nodes } = await openTwo(context);
  const [other] = nodes;
  const proxy = await startTcpProxy(engines.engine.port);
  const address = new URL(engines.engine.url);
  address.port = `${proxy.port}`;
  const cutOff = await engines.open(url, address.href);
  context.after(async () => {
    await cutOff.close();
    await proxy.stop();
  });
  const site = await seedSite(other);
  proxy.setMode("cut");
  let isAnswered = false;
  const changing = cutOff.sites.replaceSite({ ...site, revision: 2 }, 1).then((outcome) => {
    isAnswered = true;
    return outcome;
  });
  for (; !isAnswered; await delay(10)) await other.tokens.redeem(redemptionOf(site));
  assert.equal(await changing, "stored");
  assert.equal(await kindOf(other.tokens.redeem(redemptionOf(site))), "site_changed");
});
