// Two nodes on one PostgreSQL with a Valkey beside it; each is a process with its own data directory.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { OPERATOR } from "@stile/core/domain/account/audit";
import { createSite } from "@stile/core/flows/site/create-site";
import { rotateSecret } from "@stile/core/flows/site/rotate-secret";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import { openValkeyStore } from "@stile/stores/valkey/valkey-store";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import { earnToken } from "@stile/testkit/minting/solver-client";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { type RedeemAnswer, redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import { startValkey } from "@stile/testkit/valkey/throw-away-valkey";

/** Longer than the fence of an unknown engine lasts. */
const FENCE_MS = 2_500;

const [postgres, valkey] = await Promise.all([
  startPostgres({ isDurable: false }),
  startValkey({ appendFsync: "always" }),
]);
const STILE_DATABASE_URL = postgres.createDatabase("hot_store");
const settings = {
  STILE_DATABASE_URL,
  STILE_VALKEY_URL: valkey.url,
  STILE_MASTER_KEY: randomBytes(32).toString("base64"),
  STILE_TRUSTED_PROXIES: "127.0.0.1",
  STILE_LOG_LEVEL: "error",
};
const [a, b] = (await Promise.all([startService(settings), startService(settings)])) as [
  RunningService,
  RunningService,
];
const operator = await openValkeyStore({ postgres: { url: STILE_DATABASE_URL }, url: valkey.url });
const cryptography = await openServiceCryptography(a.dataDirectory, STILE_DATABASE_URL, settings.STILE_MASTER_KEY);
after(async () => {
  await Promise.all([a.dispose(), b.dispose(), operator.close()]);
  await Promise.all([postgres.stop(), valkey.stop()]);
});

const ports = await openOperatorPorts(operator);

async function addSite(name: string) {
  const [account] = await operator.sites.listAccounts();
  const owner = { accountId: account?.accountId ?? "", actor: OPERATOR };
  const created = await createSite(ports, owner, { name, domains: ["localhost"] });
  assert.ok(created.kind === "created");
  const { secretKey, site } = created;
  return { siteKey: site.siteKey, secretKey, reference: { ...owner, siteKey: site.siteKey } };
}

const nodeFor = ({ baseUrl }: RunningService, secretKey: string) => ({ baseUrl, secretKey });
const GENEROUS_MS = 30_000;

/** Asks until the answer is the wanted one: a busy machine may miss deadlines, or notice the engine's restart late. */
async function untilAnswer(ask: () => Promise<RedeemAnswer>, isWanted: (answer: RedeemAnswer) => boolean) {
  for (const sinceMs = performance.now(); ; await delay(50)) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    assert.ok(performance.now() - sinceMs < GENEROUS_MS, JSON.stringify(answer));
  }
}

const isAnswered = ({ status }: RedeemAnswer): boolean => status !== 503;
const isVerified = ({ status, body }: RedeemAnswer): boolean => status === 200 && body.data.verified === true;

test("a visitor's token that one node gave is redeemed at the other, once, and so after the engine was killed", async () => {
  const { siteKey, secretKey } = await addSite("Once");
  await delay(FENCE_MS);
  const target = { siteKey, origin: "http://localhost", address: "192.0.2.7" };
  const { token } = await earnToken({ ...target, baseUrl: a.baseUrl });
  const claim = { remoteip: "192.0.2.7" };
  const once = { ...claim, idempotency_key: "the very same call" };
  const first = await untilAnswer(() => redeem(nodeFor(b, secretKey), token, once), isAnswered);
  assert.equal(first.body.data.verified, true, JSON.stringify(first.body));
  for (const node of [a, b]) {
    const again = await untilAnswer(() => redeem(nodeFor(node, secretKey), token, claim), isAnswered);
    assert.equal(again.body.reasonCode, "token_already_used");
  }
  await valkey.kill();
  const away = await redeem(nodeFor(a, secretKey), mintToken(cryptography, siteKey, {}), {});
  assert.equal(away.status, 503);
  await valkey.start();
  await untilAnswer(() => redeem(nodeFor(b, secretKey), mintToken(cryptography, siteKey, {}), {}), isVerified);
  for (const node of [a, b]) {
    const again = await untilAnswer(() => redeem(nodeFor(node, secretKey), token, claim), isAnswered);
    assert.equal(again.body.data.verified, false);
  }
});

test("a rotation that one node was told of holds at the others for the next redemption (D3)", async () => {
  const { siteKey, secretKey, reference } = await addSite("Rotated");
  for (const node of [a, b]) {
    await untilAnswer(() => redeem(nodeFor(node, secretKey), mintToken(cryptography, siteKey, {}), {}), isVerified);
  }
  const rotated = await rotateSecret(ports, reference);
  assert.ok(rotated.kind === "rotated");
  for (const node of [a, b]) {
    const ask = () => redeem(nodeFor(node, rotated.secretKey), mintToken(cryptography, siteKey, {}), {});
    const { body } = await untilAnswer(ask, isAnswered);
    assert.equal(body.data.verified, true, JSON.stringify(body));
  }
});

test("a start beside an engine that may forget ends with one sentence that says what to set (D17)", async () => {
  const forgetful = await startValkey({ appendFsync: "always", settings: [["appendfsync", "no"]] });
  try {
    await assert.rejects(startService({ ...settings, STILE_VALKEY_URL: forgetful.url }), (fault) => {
      assert.match((fault as Error).message, /"appendfsync no" and may forget .* set "appendfsync always"\.\s*$/);
      assert.doesNotMatch((fault as Error).message, /throw-away|\bat .*\.ts:/);
      return true;
    });
  } finally {
    await forgetful.stop();
  }
});
