import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { CHALLENGE_LIFE_SECONDS, DELAY_SECONDS } from "@stile/protocol/limits";
import { startValkey, type ValkeyPlan } from "@stile/testkit/valkey/throw-away-valkey";
import type { Redis } from "ioredis";
import { FENCE_SKEW_MS, FUNCTIONS, LIBRARY } from "../../valkey/engine/valkey-functions.ts";
import { GENERATION_KEY, marksName, rateNames, siteKeyName } from "../../valkey/engine/valkey-keys.ts";
import { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { openValkeyStore } from "../../valkey/valkey-store.ts";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "../postgres/temporary-postgres.ts";
import { GENEROUS_MS, untilAnswered } from "../until-answered.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

const KILLS = 5;
const CALLERS = 8;
const SITE = "pk_killed";
const BEGINNING = "all of it";

/** What a run of redemptions knows: the tokens that were reported as spent, and how many were reported so twice. */
type Tally = { readonly spent: Map<string, Uint8Array>; doubles: number };

/** A site whose revision is believed in any run of the engine, and no fence: only the marks protect then. */
async function prepare(client: Redis): Promise<void> {
  await client.call("FUNCTION", "LOAD", "REPLACE", LIBRARY);
  await client.hdel(GENERATION_KEY, "beginning");
  await client.call("FCALL", FUNCTIONS.begin, 1, GENERATION_KEY, "one", -1 - FENCE_SKEW_MS, BEGINNING, 0);
}

async function redeemOnce(client: Redis, tokenId: Uint8Array): Promise<string> {
  const until = T0 + 360_000;
  const keys = [siteKeyName(SITE), marksName(SITE, "tokens", until), ...rateNames(`redeemed:${SITE}`, T0)];
  const args = [BEGINNING, 1, Buffer.from(tokenId), until, T0, 1_000_000_000, "", 0, T0];
  for (;;) {
    const answer = (await client.call("FCALL", FUNCTIONS.redeem, keys.length, ...keys, ...args)) as [
      string,
      number,
      number,
    ];
    const [word, stamp, askedAtMs] = answer;
    if (word !== "unknown") return word;
    await client.call("FCALL", FUNCTIONS.learn, 2, siteKeyName(SITE), GENERATION_KEY, stamp, askedAtMs, BEGINNING, 1);
  }
}

async function redeemUntilKilled(client: Redis, tally: Tally): Promise<void> {
  for (;;) {
    const tokenId = randomBytes(12);
    try {
      if ((await redeemOnce(client, tokenId)) === "spent") tally.spent.set(tokenId.toString("hex"), tokenId);
    } catch {
      return;
    }
  }
}

/** Kills the engine over and over while it is busy; then redeems every token again that was reported as spent. */
async function tortureMarks(plan: ValkeyPlan): Promise<Tally> {
  const engine = await startValkey(plan);
  const tally: Tally = { spent: new Map(), doubles: 0 };
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const client = await engine.connect();
      await prepare(client);
      const before = tally.spent.size;
      const callers = Array.from({ length: CALLERS }, () => redeemUntilKilled(client, tally));
      while (tally.spent.size < before + 200) await delay(1);
      await engine.kill();
      await Promise.all(callers);
      await engine.start();
    }
    const client = await engine.connect();
    await prepare(client);
    for (const tokenId of tally.spent.values()) {
      if ((await redeemOnce(client, tokenId)) === "spent") tally.doubles += 1;
    }
  } finally {
    await engine.stop();
  }
  return tally;
}

test("nothing that was answered is forgotten over kill -9 with appendfsync always, without any help of the fence (D3)", async (context) => {
  const { spent, doubles } = await tortureMarks({ appendFsync: "always" });
  context.diagnostic(`${spent.size} tokens, ${KILLS} kills, ${doubles} doubles`);
  assert.ok(spent.size >= KILLS * 200);
  assert.equal(doubles, 0);
});

test("the same shows doubles of an engine without an append-only file: it is not blind", async (context) => {
  const { spent, doubles } = await tortureMarks({ appendFsync: "off" });
  context.diagnostic(`${spent.size} tokens, ${KILLS} kills, ${doubles} doubles`);
  assert.ok(doubles > 0);
});

async function openWithClock(context: TestContext) {
  const engine = await startValkey({ appendFsync: "always" });
  const clock = { nowMs: 0 };
  const databaseUrl = await postgres.emptyDatabase();
  const open = (): Promise<Store> =>
    openValkeyStore({
      postgres: { url: databaseUrl, deadlineMs: GENEROUS_MS },
      url: engine.url,
      nowMs: () => clock.nowMs,
      deadlineMs: GENEROUS_MS,
    });
  const store = await open();
  context.after(async () => {
    await store.close();
    await engine.stop();
  });
  return { engine, clock, store, open, databaseUrl };
}

test("after an engine that nobody knows began, what was issued before counts as expired, and what is issued later is good (D3)", async (context) => {
  const { engine, clock, store } = await openWithClock(context);
  const site = await seedSite(store);
  const repeated = redemptionOf(site, { repeatDigest: randomBytes(32) });
  assert.equal((await store.tokens.redeem(repeated)).kind, "spent");
  clock.nowMs = T0 + 1_000;
  await engine.kill();
  await assert.rejects(store.tokens.redeem(redemptionOf(site)), StoreUnavailable);
  await engine.start();
  const fence = clock.nowMs + FENCE_SKEW_MS;
  const askAt = (issuedAtMs: number) => store.tokens.redeem(redemptionOf(site, { issuedAtMs, nowMs: clock.nowMs }));
  assert.deepEqual(await untilAnswered(() => askAt(fence)), { kind: "not_repeated" });
  assert.equal((await askAt(fence + 1)).kind, "spent");
  assert.equal((await store.tokens.redeem(repeated)).kind, "repeated");
  const submitAt = (issuedAtMs: number, lifeSeconds: number) =>
    store.challenges.spend(
      spendOf(site, { issuedAtMs, retainUntilMs: issuedAtMs + 1000 * lifeSeconds, nowMs: clock.nowMs }),
    );
  for (const seconds of [CHALLENGE_LIFE_SECONDS, DELAY_SECONDS.life]) {
    const outcomes = [await submitAt(fence, seconds), await submitAt(fence + 1, seconds)];
    assert.deepEqual(outcomes, ["already_spent", "spent"], `${seconds} s`);
  }
});

test("an engine that was emptied while it ran takes nothing of before (D3)", async (context) => {
  const { engine, clock, store } = await openWithClock(context);
  const site = await seedSite(store);
  const redemption = redemptionOf(site);
  assert.equal((await store.tokens.redeem(redemption)).kind, "spent");
  clock.nowMs = T0 + 1_000;
  await (await engine.connect()).flushall();
  assert.equal((await untilAnswered(() => store.tokens.redeem(redemption))).kind, "not_repeated");
  assert.ok((await (await engine.connect()).exists(GENERATION_KEY)) === 1);
});

test("a node that comes back to the same run of the engine changes nothing (D3)", async (context) => {
  const { clock, store, open } = await openWithClock(context);
  const site = await seedSite(store);
  clock.nowMs = T0 + 1_000;
  const second = await open();
  assert.equal((await second.tokens.redeem(redemptionOf(site))).kind, "spent");
  await second.close();
});

test("once what is spent lies elsewhere, with Valkey, without it or in another one, a start retires all keys (D3)", async (context) => {
  const { store, databaseUrl } = await openWithClock(context);
  assert.equal(await store.begin(), "continued");
  await store.serviceKeys.insertServiceKey({ keyId: 1, createdAtMs: T0, wrapped: Uint8Array.of(1) });
  assert.equal(await store.begin(), "continued");
  const alone = await postgres.open(databaseUrl);
  context.after(() => alone.close());
  assert.equal(await alone.begin(), "retired");
  await alone.serviceKeys.insertServiceKey({ keyId: 2, createdAtMs: T0, wrapped: Uint8Array.of(1) });
  assert.equal(await store.begin(), "retired");
});

const UNFIT: readonly { readonly plan: ValkeyPlan; readonly told: RegExp }[] = [
  {
    plan: { appendFsync: "always", settings: [["appendfsync", "no"]] },
    told: /"appendfsync no".*set "appendfsync always"\.$/,
  },
  { plan: { appendFsync: "off" }, told: /no append-only file.*set "appendonly yes" and "appendfsync always"\.$/ },
  {
    plan: { appendFsync: "always", settings: [["maxmemory-policy", "allkeys-lru"]] },
    told: /set "maxmemory-policy noeviction"\.$/,
  },
];

for (const { plan, told } of UNFIT) {
  test(`a start on an engine that may forget is refused, with what to set: ${told.source}`, async () => {
    const engine = await startValkey(plan);
    const url = await postgres.emptyDatabase();
    try {
      await assert.rejects(openValkeyStore({ postgres: { url }, url: engine.url }), (fault) => {
        assert.ok(fault instanceof ValkeyProblem);
        assert.match(fault.message, told);
        return true;
      });
    } finally {
      await engine.stop();
    }
  });
}

test("a database that the engine does not have is refused, and no other one is used for it", async () => {
  const engine = await startValkey({ appendFsync: "always" });
  const url = await postgres.emptyDatabase();
  try {
    await assert.rejects(openValkeyStore({ postgres: { url }, url: `${engine.url}/99` }), (fault) => {
      assert.ok(fault instanceof ValkeyProblem);
      assert.match(fault.message, /has no database 99; name another at the end of STILE_VALKEY_URL\.$/);
      return true;
    });
    const store = await openValkeyStore({ postgres: { url }, url: `${engine.url}/3` });
    await store.close();
    assert.match(await (await engine.connect()).info("keyspace"), /^# Keyspace\r\ndb3:keys=1,/);
  } finally {
    await engine.stop();
  }
});

test("settings that are changed under a running engine let nothing be spent after the next connection", async (context) => {
  const { engine, store, open } = await openWithClock(context);
  const site = await seedSite(store);
  const client = await engine.connect();
  await client.config("SET", "appendfsync", "no");
  await assert.rejects(open(), ValkeyProblem);
  await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  // It may take some milliseconds until the node notices that the connection ended; from then on nothing is spent.
  const isRefused = () =>
    store.tokens.redeem(redemptionOf(site)).then(
      () => false,
      (fault: unknown) => fault instanceof StoreUnavailable,
    );
  for (const sinceMs = performance.now(); !(await isRefused()); ) assert.ok(performance.now() - sinceMs < GENEROUS_MS);
  for (let call = 0; call < 20; call++) {
    assert.equal(await isRefused(), true);
    await delay(20);
  }
  await client.config("SET", "appendfsync", "always");
  assert.equal((await untilAnswered(() => store.tokens.redeem(redemptionOf(site)))).kind, "spent");
});
