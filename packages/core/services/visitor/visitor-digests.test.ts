import assert from "node:assert/strict";
import { test } from "node:test";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { createWorld } from "@stile/testkit/world/world";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "./key-reference.ts";
import { digestUserAgent } from "./visitor-digests.ts";

const DAY_MS = 86_400_000;

/** The world's cryptography, with a count of the requested digests. */
async function countedCryptography() {
  const { node } = await createWorld();
  let asked = 0;
  const keyedDigest: Cryptography["keyedDigest"] = (key, data) => {
    asked += 1;
    return node.cryptography.keyedDigest(key, data);
  };
  const nowMs = node.clock.nowMs();
  const keyOf = (madeAtMs: number) =>
    keyReference(node.cryptography.currentKeyId(), "binding", madeAtMs);
  return { cryptography: { ...node.cryptography, keyedDigest }, asked: () => asked, keyOf, nowMs };
}

test("computes the digest of a user agent once, and another under the key of another day (D5, binding)", async () => {
  const { cryptography, asked, keyOf, nowMs } = await countedCryptography();
  const digestAt = (ms: number, agent: string) => digestUserAgent(cryptography, keyOf(ms), agent);
  const first = digestAt(nowMs, "Agent/1");
  assert.deepEqual(digestAt(nowMs, "Agent/1"), first);
  assert.equal(asked(), 1);
  const tomorrow = digestAt(nowMs + DAY_MS, "Agent/1");
  assert.notDeepEqual(tomorrow, first);
  assert.notDeepEqual(digestAt(nowMs, "Agent/2"), first);
  assert.deepEqual(digestAt(nowMs, "Agent/1"), first, "the same again after a look at another day");
});

test("separates digests under the service's own keys (D4, sealed token)", async () => {
  const [one, other] = [await countedCryptography(), await countedCryptography()];
  const ofOne = digestUserAgent(one.cryptography, one.keyOf(one.nowMs), "Agent/1");
  const ofOther = digestUserAgent(other.cryptography, other.keyOf(other.nowMs), "Agent/1");
  assert.notDeepEqual(ofOne, ofOther);
});

test("digests only the first characters of a long user agent, whatever is cached (D5, binding)", async () => {
  const { cryptography, keyOf, nowMs } = await countedCryptography();
  const digest = (agent: string) => digestUserAgent(cryptography, keyOf(nowMs), agent);
  const longest = "a".repeat(TEXT_LIMITS.userAgent);
  assert.deepEqual(digest(`${longest}b`), digest(`${longest}c`));
  assert.notDeepEqual(digest(longest.slice(1)), digest(longest));
});

test("caches at most 256 user agents, however many are sent", async () => {
  const { cryptography, asked, keyOf, nowMs } = await countedCryptography();
  const digest = (agent: string) => digestUserAgent(cryptography, keyOf(nowMs), agent);
  const first = digest("Agent/0");
  for (let i = 1; i <= 256; i++) digest(`Agent/${i}`);
  const before = asked();
  assert.deepEqual(digest("Agent/0"), first);
  assert.equal(asked(), before + 1);
  digest("Agent/256");
  assert.equal(asked(), before + 1);
});
