import assert from "node:assert/strict";
import { test } from "node:test";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { createWorld, VISITOR_AGENT, VISITOR_IP } from "@stile/testkit/world/world";
import { packTokenHeader, packTokenPayload, parseToken } from "../../domain/token/token.ts";
import { openChallenge } from "../challenge/sign-challenge.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { openToken } from "./seal-token.ts";

/** The test world's cryptography, with a token that has every optional text. */
async function sealed() {
  const world = await createWorld();
  const { site } = await world.createSite();
  const token = world.mint(site, { actionName: "login", cdata: "order 7", score: 0.37 });
  return {
    world,
    site,
    token,
    bytes: Buffer.from(token, "base64url"),
    cryptography: world.node.cryptography,
  };
}

/** Where the random id starts: after version, key id and time of issue. */
const ID_AT = 9;

test("opens what sealToken sealed (D4, sealed token)", async () => {
  const { site, token, cryptography } = await sealed();
  const open = openToken(cryptography, token);
  const { payload } = open ?? assert.fail("not opened");
  assert.deepEqual(
    [payload.siteKey, payload.score, payload.actionName],
    [site.siteKey, 0.37, "login"],
  );
});

test("no bit of a token can be flipped (D4, sealed token)", async () => {
  const { bytes, cryptography } = await sealed();
  let accepted = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (openToken(cryptography, flipped.toString("base64url")) !== undefined) accepted++;
  }
  assert.equal(accepted, 0);
});

test("no token opens if it is cut, lengthened or respelled (D3, single use; D4, sealed token)", async () => {
  const { token, bytes, cryptography } = await sealed();
  let accepted = 0;
  const attempt = (text: string): void => {
    if (openToken(cryptography, text) !== undefined) accepted++;
  };
  for (let length = 0; length < token.length; length++) attempt(token.slice(0, length));
  for (let length = 0; length < bytes.length; length++)
    attempt(bytes.subarray(0, length).toString("base64url"));
  for (const text of [
    `${token}=`,
    `${token}==`,
    `${token}A`,
    ` ${token}`,
    `${token}\n`,
    `${token}.`,
  ])
    attempt(text);
  for (let extra = 1; extra <= 32; extra++)
    attempt(Buffer.concat([bytes, Buffer.alloc(extra)]).toString("base64url"));
  assert.equal(accepted, 0);
});

test("accepts only one spelling of a token's last character (D3, single use)", async () => {
  const { world, site, cryptography } = await sealed();
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const tails = new Set<number>();
  for (const hostname of ["a", "aa", "aaa"]) {
    const token = world.mint(site, { hostname });
    tails.add(token.length % 4);
    const opening = [...alphabet].filter(
      (last) => openToken(cryptography, token.slice(0, -1) + last) !== undefined,
    );
    assert.deepEqual(opening, [token.at(-1)]);
  }
  assert.deepEqual([...tails].sort(), [0, 2, 3], "every number of unused bits was tried");
});

test("header and ciphertext of two tokens cannot be combined (D4, sealed token)", async () => {
  const { world, site, token, cryptography } = await sealed();
  const a = Buffer.from(token, "base64url");
  let b = Buffer.from(world.mint(site), "base64url");
  // One pair of random ids in 256 starts with the same byte; then a cut after it would splice
  // nothing.
  while (b[ID_AT] === a[ID_AT]) b = Buffer.from(world.mint(site), "base64url");
  for (const at of [10, 15, 21, 40, 100]) {
    const spliced = Buffer.concat([a.subarray(0, at), b.subarray(at)]).toString("base64url");
    assert.equal(openToken(cryptography, spliced), undefined, `spliced at ${at}`);
  }
});

test("text sealed for another purpose, day or service key is no token (D4, sealed token)", async () => {
  const { token, cryptography, world } = await sealed();
  const parts = parseToken(token) ?? assert.fail("not a token");
  const { payload } = openToken(cryptography, token) ?? assert.fail("not opened");
  const headerBytes = packTokenHeader(parts.header);
  const textSealedBy = (key: ReturnType<typeof keyReference>): string => {
    const body = cryptography.seal(key, parts.header.id, packTokenPayload(payload), headerBytes);
    return Buffer.concat([headerBytes, body]).toString("base64url");
  };
  const nowMs = world.clock.nowMs();
  assert.equal(
    textSealedBy(keyReference(1, "token", nowMs)),
    token,
    "the way of forging works with the right key",
  );
  for (const key of [
    keyReference(1, "challenge", nowMs),
    keyReference(1, "binding", nowMs),
    keyReference(1, "token", nowMs - 86_400_000),
  ]) {
    assert.equal(openToken(cryptography, textSealedBy(key)), undefined, JSON.stringify(key));
  }
  assert.equal(openChallenge(cryptography, token), undefined);
});

test("a token reveals nothing: neither site, host, action and cdata nor digests (D4, sealed token)", async () => {
  const { bytes, site, token, cryptography } = await sealed();
  const { payload } = openToken(cryptography, token) ?? assert.fail("not opened");
  const secrets = [
    site.siteKey.slice(3),
    "shop.example",
    "login",
    "order 7",
    VISITOR_IP,
    VISITOR_AGENT,
  ];
  for (const text of secrets) assert.equal(bytes.includes(text), false, text);
  for (const digest of [payload.prefixDigest, payload.userAgentDigest])
    assert.equal(bytes.includes(digest), false);
});

test("two tokens with equal content share no ciphertext (D4, sealed token: fresh nonces)", async () => {
  const { world, site } = await sealed();
  const tokens = Array.from({ length: 500 }, () => world.mint(site));
  const ids = tokens.map((token) =>
    Buffer.from(token, "base64url").subarray(9, 21).toString("hex"),
  );
  const tags = tokens.map((token) => Buffer.from(token, "base64url").subarray(-16).toString("hex"));
  assert.deepEqual([new Set(ids).size, new Set(tags).size], [500, 500]);
});

test("the longest token a site can issue stays within 1,024 characters, a usual one below 300 (D2, redemption; D4, sealed token)", async () => {
  const { world, site } = await sealed();
  const { actionName, cdata, hostname, tokenIssued } = TEXT_LIMITS;
  const longest = {
    actionName: "a".repeat(actionName),
    cdata: "é".repeat(127),
    hostname: "h".repeat(hostname),
  };
  assert.ok(world.mint(site, longest).length <= tokenIssued);
  assert.ok(cdata >= 254);
  assert.ok(
    world.mint(site, { actionName: "checkout", hostname: "www.shop.example" }).length < 300,
  );
});
