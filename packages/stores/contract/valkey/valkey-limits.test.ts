import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { RateRequest } from "@stile/core/ports/rate-limiter";
import type { Store } from "@stile/core/ports/store";
import type { Redemption } from "@stile/core/ports/token/token-ledger";
import { type ProxyMode, startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startReplica, startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { COMMANDS_FOR_LIMITS } from "../../valkey/engine/valkey-functions.ts";
import { GENERATION_KEY, rateNames } from "../../valkey/engine/valkey-keys.ts";
import type { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { openValkeyLimits } from "../../valkey/valkey-limits.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS, isUnavailable, untilAnswered } from "../until-answered.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

/** A Valkey that saves nothing and evicts under pressure, which the mode `all` refuses. */
async function startForgetful(context: TestContext): Promise<ThrowAwayValkey> {
  const engine = await startValkey({ appendFsync: "off", settings: [["maxmemory-policy", "allkeys-lru"]] });
  context.after(engine.stop);
  return engine;
}

type Told = (problem: ValkeyProblem | undefined) => void;

async function openNode(context: TestContext, url: string, patienceMs = GENEROUS_MS, onProblem?: Told): Promise<Store> {
  const ofDatabase = { url: postgres.engine.urlOf("shared"), deadlineMs: GENEROUS_MS };
  const store = await openValkeyLimits({ postgres: ofDatabase, url, patienceMs, onProblem });
  context.after(() => store.close());
  return store;
}

async function openTwo(context: TestContext, url: string): Promise<readonly [Store, Store]> {
  await postgres.emptyDatabase();
  return [await openNode(context, url), await openNode(context, url)];
}

const requestOf = (over: Partial<RateRequest> = {}): RateRequest => ({
  scope: `score:${randomBytes(8).toString("hex")}`,
  perMinute: 5,
  nowMs: T0,
  ...over,
});

async function countAdmitted(nodes: readonly Store[], count: number, request: RateRequest): Promise<number> {
  const asked = Array.from({ length: count }, (_, at) => nodes[at % nodes.length]?.limiter.consume(request));
  return (await Promise.all(asked)).filter((state) => state?.isAdmitted).length;
}

async function isCountedIn(engine: ThrowAwayValkey, { scope, nowMs }: RateRequest): Promise<boolean> {
  const client = await engine.connect();
  const found = await client.exists(rateNames(scope, nowMs)[0]);
  client.disconnect();
  return found === 1;
}

test("nodes share a limit of scores in Valkey exactly, and PostgreSQL has no count of it (D10)", async (context) => {
  const engine = await startForgetful(context);
  const nodes = await openTwo(context, engine.url);
  const request = requestOf({ perMinute: 50 });
  assert.equal(await countAdmitted(nodes, 200, request), 50);
  assert.ok(await isCountedIn(engine, request));
  const alone = await postgres.open(postgres.engine.urlOf("shared"));
  context.after(() => alone.close());
  assert.equal(await countAdmitted([alone], 200, request), 50);
});

test("what is spent, and the limit of redemptions, lie in PostgreSQL, with nothing of them in Valkey (D3, D10)", async (context) => {
  const engine = await startForgetful(context);
  const [node] = await openTwo(context, engine.url);
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site, { perMinute: 1 }))).kind, "spent");
  assert.equal(await node.challenges.spend(spendOf(site)), "spent");
  const alone = await postgres.open(postgres.engine.urlOf("shared"));
  context.after(() => alone.close());
  assert.equal((await alone.tokens.redeem(redemptionOf(site, { perMinute: 1 }))).kind, "limited");
  const names = await (await engine.connect()).keys(`*${site.siteKey}*`);
  assert.deepEqual(names, []);
});

const TOKENS = 60;

/**
 * Redeems tokens at the nodes in turn, makes Valkey lose its data after every tenth, then redeems all of them again,
 * each at the next node; returns the outcomes of the second time.
 */
async function redeemThroughLosses(nodes: readonly Store[], lose: () => Promise<void>): Promise<readonly string[]> {
  const redeemAt = async (at: number, redemption: Redemption): Promise<string> => {
    const node = nodes[at % nodes.length] ?? assert.fail("there is no node");
    return (await untilAnswered(() => node.tokens.redeem(redemption))).kind;
  };
  const site = await seedSite(nodes[0] ?? assert.fail("there is no node"));
  const redemptions = Array.from({ length: TOKENS }, () => redemptionOf(site));
  for (const [at, redemption] of redemptions.entries()) {
    assert.equal(await redeemAt(at, redemption), "spent");
    if (at % 10 === 9) await lose();
  }
  return await Promise.all(redemptions.map((redemption, at) => redeemAt(at + 1, redemption)));
}

/** Loses everything but the name of its run, and what its process remembers: by either, nodes would notice the loss. */
async function loseUnnoticed(engine: ThrowAwayValkey): Promise<void> {
  const client = await engine.connect();
  await client.hdel(GENERATION_KEY, "beginning");
  const run = await client.dumpBuffer(GENERATION_KEY);
  const losing = client.multi().flushall().call("FUNCTION", "FLUSH");
  await (run === null ? losing : losing.restore(GENERATION_KEY, 0, run)).exec();
  client.disconnect();
}

test("a Valkey that is emptied, or dies with all it had, lets nothing be redeemed twice, and ends no token (D3)", async (context) => {
  const engine = await startForgetful(context);
  const killAndStart = async (): Promise<void> => {
    await engine.kill();
    await engine.start();
  };
  for (const lose of [() => loseUnnoticed(engine), killAndStart]) {
    const nodes = await openTwo(context, engine.url);
    assert.deepEqual(await redeemThroughLosses(nodes, lose), Array(TOKENS).fill("already_used"));
  }
});

test("the same loss where all lies in Valkey lets tokens be redeemed twice: the test above is not blind", async (context) => {
  const engine = await startValkey({ appendFsync: "always" });
  context.after(engine.stop);
  const url = await postgres.emptyDatabase();
  const open = () =>
    openValkeyStore({
      ...{ url: engine.url, nowMs: () => 0, deadlineMs: GENEROUS_MS },
      postgres: { url, deadlineMs: GENEROUS_MS },
    });
  const nodes = await Promise.all([open(), open()]);
  context.after(() => Promise.all(nodes.map((node) => node.close())));
  assert.ok((await redeemThroughLosses(nodes, () => loseUnnoticed(engine))).includes("spent"));
});

for (const mode of ["cut", "silent", "deaf"] as const satisfies readonly ProxyMode[]) {
  test(`while Valkey is ${mode}, PostgreSQL counts the limits, nobody is refused for it, and Valkey counts again when it is back (D10, D15)`, async (context) => {
    const engine = await startForgetful(context);
    const proxy = await startTcpProxy(engine.port);
    context.after(proxy.stop);
    const url = new URL(engine.url);
    url.port = `${proxy.port}`;
    await postgres.emptyDatabase();
    const nodes = [await openNode(context, url.href, 250), await openNode(context, url.href, 250)] as const;
    const untilCounted = async (): Promise<void> => {
      for (const sinceMs = performance.now(); ; await delay(20)) {
        const request = requestOf();
        await nodes[0].limiter.consume(request);
        if (await isCountedIn(engine, request)) return;
        assert.ok(performance.now() - sinceMs < GENEROUS_MS, "Valkey counts nothing");
      }
    };
    await untilCounted();
    const site = await seedSite(nodes[0]);
    proxy.setMode(mode);
    for (let round = 0; round < 3; round++) assert.equal(await countAdmitted(nodes, 20, requestOf()), 5);
    assert.equal((await nodes[1].tokens.redeem(redemptionOf(site))).kind, "spent");
    assert.equal(await nodes[1].challenges.spend(spendOf(site)), "spent");
    await Promise.all(nodes.map((node) => node.ping()));
    proxy.setMode("pass");
    await untilCounted();
  });
}

test("a node starts without its Valkey, says why it can't be used, and uses it once it is there (D17)", async (context) => {
  const engine = await startForgetful(context);
  await engine.kill();
  await postgres.emptyDatabase();
  const told: string[] = [];
  const back = Promise.withResolvers<void>();
  const node = await openNode(context, engine.url, GENEROUS_MS, (problem) => {
    told.push(problem?.message ?? "there again");
    if (problem === undefined) back.resolve();
  });
  assert.equal(await countAdmitted([node], 20, requestOf()), 5);
  const [missing] = (await node.describe()).findings.filter(({ level }) => level === "fail");
  assert.match(missing?.text ?? "", /and that it runs\. Until it is back, PostgreSQL counts the limits/);
  await engine.start();
  await back.promise;
  assert.equal(told.length, 2);
  assert.match(told[0] ?? "", /^The Valkey at .* can't be used \(.*ECONNREFUSED/);
  const request = requestOf();
  assert.equal(await countAdmitted([node], 20, request), 5);
  assert.ok(await isCountedIn(engine, request));
});

test("one without memory left counts nothing, and PostgreSQL does (D10)", async (context) => {
  const engine = await startValkey({ appendFsync: "off" });
  context.after(engine.stop);
  const [node] = await openTwo(context, engine.url);
  const client = await engine.connect();
  await client.config("SET", "maxmemory", "1");
  const request = requestOf();
  assert.equal(await countAdmitted([node], 20, request), 5);
  assert.equal(await isCountedIn(engine, request), false);
});

test("replicas may follow it, and it need let nobody ask for its settings: so few rights are enough", async (context) => {
  const engine = await startForgetful(context);
  const replica = await startReplica(engine, "off");
  context.after(replica.stop);
  const rights = COMMANDS_FOR_LIMITS.map((command) => `+${command}`);
  await (await engine.connect()).call("ACL", "SETUSER", "stile", "on", ">secret", "~stile:*", ...rights);
  await postgres.emptyDatabase();
  const node = await openNode(context, `redis://stile:secret@127.0.0.1:${engine.port}`);
  const request = requestOf();
  assert.equal(await countAdmitted([node], 20, request), 5);
  assert.ok(await isCountedIn(engine, request));
  const manual = readFileSync(join(import.meta.dirname, "../../../../docs/operations/scaling.md"), "utf8");
  // Selecting another database than 0 needs one more right, as it does where everything lies in Valkey.
  assert.ok(manual.includes(`~stile:* ${rights.filter((right) => right !== "+select").join(" ")}\n`));
  const { findings, durability } = await node.describe();
  assert.deepEqual(
    findings.filter(({ level }) => level === "fail"),
    [],
  );
  const alone = await postgres.open(postgres.engine.urlOf("shared"));
  context.after(() => alone.close());
  assert.equal(durability, (await alone.describe()).durability);
});

test("a user who may not write what is counted is told which rights it needs", async (context) => {
  const engine = await startForgetful(context);
  const rights = COMMANDS_FOR_LIMITS.filter((command) => command !== "pexpire").map((command) => `+${command}`);
  await (await engine.connect()).call("ACL", "SETUSER", "stile", "on", ">secret", "~stile:*", ...rights);
  await postgres.emptyDatabase();
  const told: (string | undefined)[] = [];
  const url = `redis://stile:secret@127.0.0.1:${engine.port}`;
  const node = await openNode(context, url, GENEROUS_MS, (problem) => void told.push(problem?.message));
  assert.match(told[0] ?? "", /refuses a command .*; the user needs INFO, .*, PEXPIRE, .* and the keys stile:\*\.$/);
  assert.equal(await countAdmitted([node], 20, requestOf()), 5);
});

test("from all in Valkey to limits alone retires what was issued, and a node of before spends nothing more (D3)", async (context) => {
  const engine = await startValkey({ appendFsync: "always" });
  context.after(engine.stop);
  const url = await postgres.emptyDatabase();
  const hot = await openValkeyStore({ postgres: { url, deadlineMs: GENEROUS_MS }, url: engine.url, nowMs: () => 0 });
  context.after(() => hot.close());
  const site = await seedSite(hot);
  assert.equal(await hot.begin(), "continued");
  await hot.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(1) });
  const node = await openNode(context, engine.url);
  assert.equal(await node.begin(), "retired");
  await assert.rejects(async () => await hot.nodes?.follow(async () => {}), /do not agree on .*STILE_VALKEY_HOLDS/);
  await assert.rejects(hot.tokens.redeem(redemptionOf(site)), isUnavailable);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  // Nodes on PostgreSQL alone spend in the same place as this one.
  const alone = await postgres.open(url);
  context.after(() => alone.close());
  assert.equal(await alone.begin(), "continued");
});
