import assert from "node:assert/strict";
import { test } from "node:test";
import { seedNumber } from "./fixtures/vectors.ts";
import { seedWordsOf, toU64, toU64s } from "./seed-words.ts";

test("reads a seed as little-endian numbers, wherever it lies in its buffer", () => {
  const buffer = Buffer.concat([Buffer.alloc(3), seedNumber(1), Buffer.alloc(3)]);
  const seed = buffer.subarray(3, 35);
  assert.deepEqual(
    [...toU64s(seedWordsOf(seed))],
    [0, 8, 16, 24].map((at) => seed.readBigUInt64LE(at)),
  );
});

test("joins halves into a number whatever their signs", () => {
  assert.equal(toU64(-1, -1), 2n ** 64n - 1n);
  assert.equal(toU64(0xffff_ffff, 0), 0xffff_ffffn);
  assert.equal(toU64(0, -0x8000_0000), 2n ** 63n);
});

test("throws for a seed that is not 32 bytes", () => {
  for (const length of [0, 31, 33])
    assert.throws(() => seedWordsOf(new Uint8Array(length)), RangeError);
});
