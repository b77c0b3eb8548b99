import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openChallenge } from "@stile/core/services/challenge/sign-challenge";
import { openToken } from "@stile/core/services/token/seal-token";
import { isSecretKey } from "@stile/protocol/key-formats";
import { USER_AGENT } from "@stile/testkit/minting/solver-client";
import { startInProcess } from "@stile/testkit/service/in-process-service";
import { mintLines } from "./lines.ts";
import { createBenchCryptography } from "./pow/signed-challenges.ts";

const cryptography = createBenchCryptography();
const minter = { cryptography, siteKeys: [`pk_${"0".repeat(22)}`] };
const SEEDS = { from: 10, to: 14 };

for (const { kind, opens } of [
  { kind: "redemptions", opens: true },
  { kind: "forged-redemptions", opens: false },
] as const) {
  test(`${kind}: ${opens ? "" : "no "}tokens that the service accepts as its own, no two alike`, () => {
    const tokens = mintLines(kind, minter, SEEDS).map((line) => JSON.parse(line).token as string);
    assert.equal(new Set(tokens).size, 4);
    for (const token of tokens) assert.equal(openToken(cryptography, token) !== undefined, opens);
  });
}

for (const { kind, opens } of [
  { kind: "submissions", opens: true },
  { kind: "varied-submissions", opens: true },
  { kind: "forged-submissions", opens: false },
] as const) {
  test(`${kind}: ${opens ? "" : "no "}challenges that the service accepts as its own, no two alike`, () => {
    const bodies = mintLines(kind, minter, SEEDS).map((line) => JSON.parse(line));
    assert.equal(new Set(bodies.map(({ challenge }) => challenge)).size, 4);
    assert.equal(new Set(bodies.map(({ signals }) => signals.behaviour)).size, 4);
    for (const { challenge } of bodies)
      assert.equal(openChallenge(cryptography, challenge) !== undefined, opens);
  });
}

test("earns a token with a visit that is submitted as soon as it is minted, as the row of a token's life needs", async () => {
  const target = await startInProcess({ nowMs: Date.now });
  after(target.dispose);
  const demo = target.service.firstStart.demoKeys ?? assert.fail("no demo site");
  const visits = { cryptography: target.service.api.cryptography, siteKeys: [demo.siteKey] };
  for (const body of mintLines("submissions", visits, SEEDS)) {
    const headers = {
      "Content-Type": "application/json",
      Origin: "http://localhost",
      "User-Agent": USER_AGENT,
    };
    const response = await fetch(`${target.baseUrl}/api/v1/verify`, {
      method: "POST",
      headers,
      body,
    });
    const { data } = (await response.json()) as { data: { verified: boolean } };
    assert.deepEqual([response.status, data.verified], [200, true]);
  }
});

test("mints wrong secrets in the form of right ones, so that the service looks them up", () => {
  const secrets = mintLines("secrets", minter, SEEDS);
  assert.equal(new Set(secrets).size, 4);
  for (const secret of secrets) assert.ok(isSecretKey(secret));
});

test("mints redemptions for the sites in turn, whatever the first seed", () => {
  const siteKeys = ["0", "1", "2"].map((digit) => `pk_${digit.repeat(22)}`);
  const tokens = mintLines("redemptions", { cryptography, siteKeys }, SEEDS).map(
    (line) => JSON.parse(line).token,
  );
  const meant = tokens.map((token: string) => openToken(cryptography, token)?.payload.siteKey);
  assert.deepEqual(meant, [siteKeys[1], siteKeys[2], siteKeys[0], siteKeys[1]]);
});
