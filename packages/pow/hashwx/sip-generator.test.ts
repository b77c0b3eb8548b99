import assert from "node:assert/strict";
import { test } from "node:test";
import { nonceNumber } from "./fixtures/vectors.ts";
import { toU64 } from "./seed-words.ts";
import { drawNumbers, runSipRounds } from "./sip-generator.ts";

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotl = (value: bigint, bits: bigint): bigint => u64(value << bits) | (value >> (64n - bits));

/** SipRound with bigints, as the design describes it. */
function referenceRound(v: [bigint, bigint, bigint, bigint]): void {
  v[0] = u64(v[0] + v[1]);
  v[2] = u64(v[2] + v[3]);
  v[1] = rotl(v[1], 13n) ^ v[0];
  v[3] = rotl(v[3], 16n) ^ v[2];
  v[0] = rotl(v[0], 32n);
  v[2] = u64(v[2] + v[1]);
  v[0] = u64(v[0] + v[3]);
  v[1] = rotl(v[1], 17n) ^ v[2];
  v[3] = rotl(v[3], 21n) ^ v[0];
  v[2] = rotl(v[2], 32n);
}

function* referenceNumbers(k0: bigint, k1: bigint, salt: bigint): Generator<bigint> {
  const label = Buffer.from("somepseudorandomlygeneratedbytes");
  const v: [bigint, bigint, bigint, bigint] = [
    label.readBigUInt64BE(0) ^ k0,
    label.readBigUInt64BE(8) ^ k1,
    label.readBigUInt64BE(16) ^ k0,
    label.readBigUInt64BE(24) ^ k1 ^ salt,
  ];
  referenceRound(v);
  v[0] ^= salt;
  v[2] ^= 0xbbn;
  for (let round = 0; round < 3; round++) referenceRound(v);
  for (;;) {
    yield* [...v].reverse();
    v[0] ^= k0;
    v[1] ^= k1;
    v[2] ^= k0;
    v[3] ^= k1;
    for (let round = 0; round < 4; round++) referenceRound(v);
  }
}

const wordsOf = (values: readonly bigint[]): Int32Array =>
  Int32Array.from(
    values.flatMap((value) => [
      Number(BigInt.asIntN(32, value)),
      Number(BigInt.asIntN(32, value >> 32n)),
    ]),
  );
const numbersOf = (words: Int32Array): bigint[] =>
  Array.from({ length: words.length / 2 }, (_, i) =>
    toU64(words[2 * i] as number, words[2 * i + 1] as number),
  );

function draw(k0: bigint, k1: bigint, salt: bigint, count: number): bigint[] {
  const out = new Int32Array(2 * count);
  const [saltLow = 0, saltHigh = 0] = wordsOf([salt]);
  drawNumbers({ keys: wordsOf([k0, k1]), keyAt: 0, saltLow, saltHigh }, out, 0, count);
  return numbersOf(out);
}

/** Values at which carries, signs and halves go wrong. */
const CORNERS = [
  0n,
  1n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  2n ** 32n,
  2n ** 63n,
  2n ** 64n - 1n,
];

test("computes a round on pairs of words as on whole numbers, corner cases included", () => {
  for (const a of CORNERS) {
    for (const b of CORNERS) {
      const values: [bigint, bigint, bigint, bigint] = [a, b, a ^ nonceNumber(1), b];
      const words = wordsOf(values);
      runSipRounds(words, 0, 3);
      for (let round = 0; round < 3; round++) referenceRound(values);
      assert.deepEqual(numbersOf(words), values);
    }
  }
});

test("changes in a round only the four numbers it is given", () => {
  const words = wordsOf([1n, 2n, 3n, 4n, 5n, 6n]);
  runSipRounds(words, 2, 1);
  assert.deepEqual([numbersOf(words)[0], numbersOf(words)[5]], [1n, 6n]);
});

test("draws the numbers of the design's generator for every key and salt, in its order", () => {
  for (let i = 0; i < 100; i++) {
    const [k0, k1, salt] = [nonceNumber(3 * i), nonceNumber(3 * i + 1), nonceNumber(3 * i + 2)];
    const reference = referenceNumbers(k0, k1, salt);
    assert.deepEqual(
      draw(k0, k1, salt, 16),
      Array.from({ length: 16 }, () => reference.next().value),
    );
  }
});

test("draws the same first numbers in small and large amounts", () => {
  assert.deepEqual(draw(1n, 2n, 3n, 8), draw(1n, 2n, 3n, 512).slice(0, 8));
});

test("accepts key and output anywhere in their arrays, and writes nothing else", () => {
  const out = new Int32Array(12).fill(7);
  const keys = wordsOf([9n, 9n, 1n, 2n]);
  drawNumbers({ keys, keyAt: 4, saltLow: 3, saltHigh: 0 }, out, 2, 4);
  assert.deepEqual(numbersOf(out.subarray(2, 10)), draw(1n, 2n, 3n, 4));
  assert.deepEqual([...out.subarray(0, 2), ...out.subarray(10)], [7, 7, 7, 7]);
});
