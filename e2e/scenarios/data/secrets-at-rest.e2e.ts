import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { mintEasyChallenge } from "@stile/testkit/minting/easy-challenges";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { exchange } from "@stile/testkit/payloads/raw-http";
import { findWritten, formsOf, readWritten } from "@stile/testkit/service/secret-search";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";

const ADDRESS = "198.51.100.77";
const ADDRESS_6 = "2001:db8:77::c4a4";
const ADDRESS_6_BYTES = "20010db800770000000000000000c4a4";
const USER_AGENT = "Canary-5f1e/7.7";
const CDATA = "c4n4ry-order-1b2c";
const WRONG_SECRET = `sk_${"c4n4ry9".repeat(7)}`;
const IDEMPOTENCY_KEY = "c4n4ry-idempotency-3d4e";

let service: RunningService;

before(async () => {
  service = await startService({ STILE_LOG_LEVEL: "debug", STILE_TRUSTED_PROXIES: "127.0.0.1" });
});

after(async () => {
  await service?.dispose();
});

async function post(path: string, body: unknown, secretKey = service.secretKey): Promise<Response> {
  return await fetch(`${service.baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${secretKey}`,
      "Content-Type": "application/json",
      Origin: "http://localhost",
      "User-Agent": USER_AGENT,
      "X-Forwarded-For": ADDRESS,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Uses every path on which something personal or secret comes in; returns the used tokens. */
async function useEverything(): Promise<string[]> {
  const cryptography = await openServiceCryptography(service.dataDirectory);
  const tokens = await mintTokens({
    ...service,
    count: 4,
    address: ADDRESS,
    userAgent: USER_AGENT,
  });
  const [redeemed, mismatched, scored] = tokens;
  const visitor = { remoteip: ADDRESS, user_agent: USER_AGENT, idempotency_key: IDEMPOTENCY_KEY };
  for (const body of [
    { token: redeemed, ...visitor },
    { token: mismatched, remoteip: ADDRESS_6, user_agent: "x" },
  ]) {
    assert.equal((await post("token/verify", body)).status, 200);
  }
  assert.equal((await post("token/verify", { token: redeemed }, WRONG_SECRET)).status, 401);
  assert.equal(
    (await post("token/verify", `{"token":"${redeemed}","remoteip":"${ADDRESS}",`)).status,
    400,
  );
  const environment = Buffer.from(JSON.stringify({ v: 2, userAgent: USER_AGENT })).toString(
    "base64url",
  );
  for (const address of [ADDRESS, ADDRESS_6]) {
    const nowMs = Date.now();
    const { siteKey } = service;
    const challenge = mintEasyChallenge({
      cryptography,
      siteKey,
      userAgent: USER_AGENT,
      address: ADDRESS,
      nowMs,
    });
    const solution = challenge.solve(Buffer.from(environment, "base64url"));
    const handedIn = {
      site_key: siteKey,
      challenge: challenge.text,
      solution,
      signals: { environment },
      cdata: CDATA,
    };
    assert.equal((await post("verify", handedIn)).status, 200);
    const headers = { "user-agent": USER_AGENT, accept: USER_AGENT };
    const url = `https://example.org/login?session=${CDATA}`;
    const asked = { ip: address, user_agent: USER_AGENT, headers, url, token: scored };
    assert.equal((await post("score", asked)).status, 200);
  }
  await fetch(`${service.baseUrl}/${CDATA}?token=${redeemed}`, {
    headers: { "User-Agent": USER_AGENT },
  });
  await exchange(service.port, `GET /${CDATA} HTTP/1.1\r\nX: \0${USER_AGENT}\r\n\r\n`, {
    withinMs: 3000,
  });
  return tokens;
}

/**
 * Redeems while another process locks the database. The service must report it within 2 s, and log
 * it (D15, outage).
 */
async function redeemWithoutStore(token: string | undefined): Promise<string> {
  const holder = new DatabaseSync(join(service.dataDirectory, "stile.sqlite"));
  holder.exec("BEGIN IMMEDIATE");
  const startedAt = performance.now();
  const response = await post("token/verify", { token, remoteip: ADDRESS, user_agent: USER_AGENT });
  const tookMs = performance.now() - startedAt;
  holder.exec("ROLLBACK");
  holder.close();
  const { data, error } = (await response.json()) as {
    data: { verified: boolean };
    error: { request_id: string };
  };
  assert.equal(response.status, 503);
  assert.equal(data.verified, false);
  assert.ok(tookMs < 2000);
  return error.request_id;
}

test("no file or log of the service contains secrets, tokens, addresses or user agents (D4, sealed token; D13, formats; D14, client address)", async () => {
  const tokens = await useEverything();
  const faultId = await redeemWithoutStore(tokens[3]);
  const masterKey = readFileSync(join(service.dataDirectory, "master.key"), "utf8").trim();
  const canaries: Record<string, readonly Buffer[]> = {
    "the secret key": formsOf(service.secretKey),
    "a wrong secret": formsOf(WRONG_SECRET),
    "the IPv4 address": formsOf(ADDRESS),
    "the IPv6 address": [
      ...formsOf(ADDRESS_6),
      Buffer.from(ADDRESS_6_BYTES, "hex"),
      Buffer.from(ADDRESS_6_BYTES),
    ],
    "the user agent": formsOf(USER_AGENT),
    cdata: formsOf(CDATA),
    "the idempotency key": formsOf(IDEMPOTENCY_KEY),
    "the master key": [...formsOf(masterKey), Buffer.from(masterKey, "base64")],
  };
  for (const [i, token] of tokens.entries()) {
    const bytes = Buffer.from(token, "base64url");
    canaries[`token ${i}`] = [...formsOf(token), bytes, bytes.subarray(-16)];
  }
  const whileRunning = readWritten(service);
  await service.stop();
  const afterStop = readWritten(service);
  const files = new Set([...whileRunning.keys(), ...afterStop.keys()]);
  const size = [...whileRunning.values(), ...afterStop.values()].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  console.log(
    `${Object.keys(canaries).length} canaries sought in ${[...files].join(", ")} (${size} bytes)`,
  );
  assert.deepEqual(findWritten(whileRunning, canaries), []);
  assert.deepEqual(findWritten(afterStop, canaries), []);
  assert.ok(service.log().includes(faultId), "the log was searched before it was written");
  const found = findWritten(afterStop, { "the site key": formsOf(service.siteKey) });
  assert.deepEqual(found, ["the site key in stile.sqlite"], "the search must find what is there");
});
