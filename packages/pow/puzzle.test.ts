import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ALGORITHM_NUMBERS } from "./algorithms/table.ts";
import {
  BASE_DIFFICULTY,
  difficultyFor,
  isPuzzleSize,
  MAX_DIFFICULTY,
  NONCES_PER_SOLUTION,
  nonceBound,
  SOLUTION_BYTES,
  seedFor,
  target,
  targetWords,
} from "./puzzle.ts";
import { sha256 } from "./sha256.ts";

const native = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

test("a solution is sixteen u32 in 64 bytes", () => {
  assert.equal(NONCES_PER_SOLUTION, 16);
  assert.equal(SOLUTION_BYTES, 64);
});

test("the target is floor(2^64 k / D), as a whole and as two halves", () => {
  assert.equal(target(16, 2 ** 17), 2n ** 51n);
  assert.equal(target(16, 3_000_000), (16n * 2n ** 64n) / 3_000_000n);
  for (const [k, difficulty] of [
    [16, 17],
    [16, 1000],
    [16, 2 ** 17 + 1],
    [1, 2],
    [255, MAX_DIFFICULTY],
  ] as const) {
    const whole = target(k, difficulty);
    const { high, low } = targetWords(k, difficulty);
    assert.ok(whole < 2n ** 64n);
    assert.equal((BigInt(high) << 32n) | BigInt(low), whole);
    assert.ok(high >= 0 && low >= 0);
  }
});

test("refuses a size whose target or nonces would overflow", () => {
  const refused = [
    [16, 16],
    [16, 0],
    [0, 100],
    [256, 1000],
    [1.5, 100],
    [16, 100.5],
    [16, MAX_DIFFICULTY + 1],
  ] as const;
  for (const [k, difficulty] of [...refused, [16, Number.NaN], [Number.NaN, 100]] as const) {
    assert.equal(isPuzzleSize(k, difficulty), false, `k = ${k}, D = ${difficulty}`);
    assert.throws(() => target(k, difficulty), RangeError);
  }
  assert.equal(nonceBound(MAX_DIFFICULTY), 2 ** 32);
});

test("clamps the adjustment of the difficulty to half and 64 times the base", () => {
  const base = 2 ** 17;
  const factors = [-100, -2, -1, 0, 1, 5, 6, 100].map(
    (exponent) => difficultyFor(base, exponent) / base,
  );
  assert.deepEqual(factors, [0.5, 0.5, 0.5, 1, 2, 32, 64, 64]);
  assert.equal(Number.isInteger(difficultyFor(base, 0.3)), true);
});

test("gives every algorithm a base difficulty that is a puzzle at every adjustment", () => {
  assert.deepEqual(Object.keys(BASE_DIFFICULTY), ALGORITHM_NUMBERS.map(String));
  for (const base of Object.values(BASE_DIFFICULTY)) {
    for (let exponent = -1; exponent <= 6; exponent++) {
      assert.ok(isPuzzleSize(NONCES_PER_SOLUTION, difficultyFor(base, exponent)));
    }
  }
});

test("computes the seed as SHA-256 of label, challenge, environment digest and index, by native and own hash alike", () => {
  const challengeBytes = Uint8Array.from({ length: 99 }, (_, i) => i);
  const environmentDigest = native(Buffer.from("environment"));
  // Computed with Python's hashlib.
  const expected = "a0f0df8597f7087d7d9cd264bab2ff97df64cabb2f5f117edc7df9b7d0567fc0";
  for (const hash of [native, sha256]) {
    const seed = seedFor(hash, challengeBytes, environmentDigest, 1);
    assert.equal(Buffer.from(seed).toString("hex"), expected);
  }
});

test("depends on every part of the seed", () => {
  const challengeBytes = new Uint8Array(99);
  const digest = new Uint8Array(32);
  const seeds = [
    seedFor(native, challengeBytes, digest, 0),
    seedFor(native, challengeBytes, digest, 1),
    seedFor(native, challengeBytes, digest, 0x0100_0000),
    seedFor(
      native,
      challengeBytes.map((_, i) => (i === 98 ? 1 : 0)),
      digest,
      0,
    ),
    seedFor(
      native,
      challengeBytes,
      digest.map((_, i) => (i === 31 ? 1 : 0)),
      0,
    ),
  ].map((seed) => Buffer.from(seed).toString("hex"));
  assert.equal(new Set(seeds).size, seeds.length);
});

test("lets no digest of another length shift the fields of the seed", () => {
  for (const length of [0, 31, 33]) {
    assert.throws(() => seedFor(native, new Uint8Array(99), new Uint8Array(length), 0), RangeError);
  }
});
