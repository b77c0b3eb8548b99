// Two nodes on one PostgreSQL, each with its own data directory, with a Valkey that holds only limits.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { earnToken } from "@stile/testkit/minting/solver-client";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { type RedeemAnswer, redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { startValkey } from "@stile/testkit/valkey/throw-away-valkey";

const GENEROUS_MS = 30_000;

const [postgres, valkey] = await Promise.all([
  startPostgres({ isDurable: false }),
  startValkey({ appendFsync: "off" }),
]);
const settings = {
  STILE_DATABASE_URL: postgres.createDatabase("limits_in_valkey"),
  STILE_VALKEY_URL: valkey.url,
  STILE_VALKEY_HOLDS: "limits",
  STILE_MASTER_KEY: randomBytes(32).toString("base64"),
  STILE_TRUSTED_PROXIES: "127.0.0.1",
  STILE_DEMO: "on",
};
// The first node makes the demo's site, so the keys are known from it.
const a = await startService(settings);
const b = await startService(settings);
const { siteKey, secretKey } = a;
after(async () => {
  await Promise.all([a.dispose(), b.dispose()]);
  await Promise.all([postgres.stop(), valkey.stop()]);
});

async function score({ baseUrl }: RunningService): Promise<number> {
  const response = await fetch(`${baseUrl}/api/v1/score`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ip: "192.0.2.7" }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function countScores(): Promise<number> {
  const client = await valkey.connect();
  const names = await client.keys("stile:*:rate:score:*");
  const counts = await Promise.all(names.map((name) => client.get(name)));
  client.disconnect();
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/** Asks until it is so: a busy machine may miss a deadline now and then. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const sinceMs = performance.now(); !(await isSo()); await delay(50)) {
    assert.ok(performance.now() - sinceMs < GENEROUS_MS, `not in time: ${isSo}`);
  }
}

const claim = { remoteip: "192.0.2.7" };
const redeemAt = async ({ baseUrl }: RunningService, token: string): Promise<RedeemAnswer> =>
  await redeem({ baseUrl, secretKey }, token, claim);
/** An exact repeat gets the same answer again, in case the answer was lost. */
async function untilRedeemedAt({ baseUrl }: RunningService, token: string): Promise<void> {
  const once = { ...claim, idempotency_key: "the very same call" };
  await until(async () => (await redeem({ baseUrl, secretKey }, token, once)).body.data.verified === true);
}

async function earn(): Promise<string> {
  const { token } = await earnToken({ siteKey, origin: "http://localhost", address: "192.0.2.7", baseUrl: a.baseUrl });
  return token;
}

async function assertUsed(token: string): Promise<void> {
  for (const node of [a, b]) {
    const answers: RedeemAnswer[] = [];
    // The first 200 counts: a second one would hide that the token was redeemed again.
    await until(async () => answers.push(await redeemAt(node, token)) > 0 && answers.at(-1)?.status === 200);
    assert.equal(answers.at(-1)?.body.reasonCode, "token_already_used");
  }
}

test("scores of both nodes count together in Valkey, and what is redeemed leaves nothing there (D10)", async () => {
  await until(async () => {
    const before = await countScores();
    assert.deepEqual([await score(a), await score(b)], [200, 200]);
    return (await countScores()) === before + 2;
  });
  const token = await earn();
  await untilRedeemedAt(b, token);
  await assertUsed(token);
  const client = await valkey.connect();
  const others = (await client.keys("*")).filter((name) => !/:rate:(score|opened):/.test(name));
  client.disconnect();
  assert.deepEqual(others, []);
});

test("a Valkey that dies, and comes back with nothing, refuses nobody and lets no token count twice (D3, D15)", async () => {
  const [before, during] = [await earn(), await earn()];
  await untilRedeemedAt(a, before);
  await valkey.kill();
  for (const node of [a, b]) {
    await until(async () => (await score(node)) === 200);
    assert.equal((await fetch(`${node.baseUrl}/readyz`)).status, 200);
    await until(async () => /PostgreSQL counts the limits of scores: Valkey can't be used/.test(node.log()));
  }
  await untilRedeemedAt(b, during);
  for (const token of [before, during]) await assertUsed(token);
  await valkey.start();
  await until(async () => /Valkey answers, and counts the limits of scores/.test(a.log()));
  for (const token of [before, during]) await assertUsed(token);
  await until(async () => (await score(a)) === 200 && (await countScores()) > 0);
});

test("a node starts while that Valkey is away (D17)", async () => {
  await valkey.kill();
  await b.stop();
  await b.restart();
  assert.equal(await score(b), 200);
});
