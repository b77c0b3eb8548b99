import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { interpretedHash } from "@stile/pow/hashwx/fixtures/vectors";
import { seedFor, target } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import type { Puzzle } from "@stile/pow/solver";
import {
  createCommonContestants,
  HASHWX_NAME,
  measureRound,
  perNonce,
  webCryptoContestant,
} from "./contestants.ts";
import { toRatePuzzle } from "./puzzles.ts";

const NONCES = 1000;
/** About 31 of the 1,000 nonces are hits, so that the compared lists are not empty. */
const easy: Puzzle = { ...toRatePuzzle("A".repeat(132)), k: 255, difficulty: 8192 };
const seed = seedFor(sha256, easy.challengeBytes, easy.environmentDigest, 0);
const threshold = target(easy.k, easy.difficulty);
const oneShot = perNonce("node:crypto", 64, (message) => hash("sha256", message, "buffer"));
const contestants = [...(await createCommonContestants()), webCryptoContestant, oneShot];

function shaHash(nonce: number): bigint {
  const message = Buffer.alloc(36);
  message.set(seed);
  message.writeUInt32LE(nonce, 32);
  return hash("sha256", message, "buffer").readBigUInt64LE();
}

function hits(hashOf: (nonce: number) => bigint): number[] {
  return Array.from({ length: NONCES }, (_, nonce) => nonce).filter(
    (nonce) => hashOf(nonce) < threshold,
  );
}

const hashwx = interpretedHash(seed);
const expectedHashwx = hits((nonce) => hashwx(BigInt(nonce)));
const expectedSha = hits(shaHash);

for (const { name, begin } of contestants) {
  test(`${name} does the whole work: it finds exactly the nonces of its function`, async () => {
    const search = begin(easy);
    const found = [...(await search(NONCES / 4)), ...(await search((3 * NONCES) / 4))];
    assert.ok(found.length > 10);
    assert.deepEqual(found, name === HASHWX_NAME ? expectedHashwx : expectedSha);
  });
}

test("starts each search from scratch", async () => {
  for (const { begin } of contestants) {
    assert.deepEqual(await begin(easy)(NONCES / 2), await begin(easy)(NONCES / 2));
  }
});

test("gives a round a rate for each contestant, in their order", async () => {
  const short = contestants.map((contestant) => ({ ...contestant, chunk: 16 }));
  const measured = await measureRound(short, toRatePuzzle("A".repeat(132)));
  assert.deepEqual(
    measured.map(({ name }) => name),
    contestants.map(({ name }) => name),
  );
  for (const { khs } of measured) assert.ok(khs > 0);
});
