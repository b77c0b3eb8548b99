import assert from "node:assert/strict";
import { test } from "node:test";
import { interpretedHash, nonceNumber, seedNumber, VECTORS } from "./fixtures/vectors.ts";

test("the interpreter computes the published vectors", () => {
  for (const { seed, nonce, hash } of VECTORS) assert.equal(interpretedHash(seed)(nonce), hash);
});

test("computes a hash independently of the hashes before it", () => {
  const nonces = Array.from({ length: 50 }, (_, i) => nonceNumber(i));
  const hash = interpretedHash(seedNumber(1));
  const forwards = nonces.map(hash);
  const backwards = nonces.toReversed().map(hash).toReversed();
  assert.deepEqual(forwards, backwards);
  assert.deepEqual(
    forwards,
    nonces.map((nonce) => interpretedHash(seedNumber(1))(nonce)),
  );
});

test("depends on every bit of seed and nonce", () => {
  const seed = seedNumber(2);
  const hash = interpretedHash(seed);
  const hashes = new Set([hash(5n)]);
  for (let bit = 0n; bit < 64n; bit++) hashes.add(hash(5n ^ (1n << bit)));
  for (let bit = 0; bit < 256; bit++) {
    const flipped = Uint8Array.from(seed);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    hashes.add(interpretedHash(flipped)(5n));
  }
  assert.equal(hashes.size, 1 + 64 + 256);
});

test("sets each bit of the hash in half of 4,000 hashes", () => {
  const ones = new Array<number>(64).fill(0);
  for (let i = 0; i < 4000; i++) {
    const hash = interpretedHash(seedNumber(i >> 6))(BigInt(i & 63));
    for (let bit = 0; bit < 64; bit++)
      ones[bit] = (ones[bit] as number) + Number((hash >> BigInt(bit)) & 1n);
  }
  // 158 is five standard deviations.
  for (const [bit, count] of ones.entries())
    assert.ok(Math.abs(count - 2000) < 158, `bit ${bit}: ${count}`);
});
