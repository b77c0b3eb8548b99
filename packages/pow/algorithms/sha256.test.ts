import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { sha256Algorithm } from "./sha256.ts";

const wordsOf = (value: bigint) => ({
  high: Number(value >> 32n),
  low: Number(value & 0xffff_ffffn),
});

const seedOf = (text: string): Uint8Array => {
  const seed = new Uint8Array(32);
  seed.set(new TextEncoder().encode(text));
  return seed;
};

/** H as the reference page defines it, with the native hash. */
const nativeHash = (seed: Uint8Array, input: number): bigint => {
  const message = Buffer.alloc(36);
  message.set(seed);
  message.writeUInt32LE(input, 32);
  return createHash("sha256").update(message).digest().readBigUInt64LE();
};

/** Computed with Python's hashlib, to compare this code and Node's with a third implementation. */
const VECTORS = [
  { seed: "Stile algorithm 2, first vector", input: 0, hash: 0x9ebc9abfcdc7186en },
  { seed: "Stile algorithm 2, second vector", input: 65_535, hash: 0x3c6cfdefd1efb8d4n },
];

test("algorithm 2 reproduces the committed vectors exactly", () => {
  for (const { seed, input, hash } of VECTORS) {
    const puzzleFunction = sha256Algorithm.createFunction(seedOf(seed));
    assert.equal(puzzleFunction.isBelow(input, wordsOf(hash)), false, `H(${input}) < ${hash}`);
    assert.equal(
      puzzleFunction.isBelow(input, wordsOf(hash + 1n)),
      true,
      `H(${input}) >= ${hash} + 1`,
    );
  }
});

test("algorithm 2 agrees with the native hash to the last bit on random seeds and inputs", () => {
  for (let i = 0; i < 300; i++) {
    const seed = randomBytes(32);
    const puzzleFunction = sha256Algorithm.createFunction(seed);
    const input = randomBytes(2).readUInt16LE();
    const hash = nativeHash(seed, input);
    assert.equal(puzzleFunction.isBelow(input, wordsOf(hash)), false);
    assert.equal(puzzleFunction.isBelow(input, wordsOf(hash + 1n)), true);
  }
});

test("search finds exactly the inputs that isBelow accepts", () => {
  const puzzleFunction = sha256Algorithm.createFunction(randomBytes(32));
  const target = { high: 2 ** 26, low: 0 };
  const expected = Array.from({ length: 5000 }, (_, input) => input).filter((n) =>
    puzzleFunction.isBelow(n, target),
  );
  const found: number[] = [];
  for (let from = 0; from < 5000; ) {
    const hit = puzzleFunction.search(from, 5000, target);
    if (hit < 5000) found.push(hit);
    from = hit + 1;
  }
  assert.ok(found.length > 0);
  assert.deepEqual(found, expected);
});

test("search returns its upper end if nothing passes and if there is nothing to search", () => {
  const puzzleFunction = sha256Algorithm.createFunction(randomBytes(32));
  assert.equal(puzzleFunction.search(100, 2100, { high: 0, low: 0 }), 2100);
  assert.equal(puzzleFunction.search(7, 7, { high: 0xffff_ffff, low: 0xffff_ffff }), 7);
});

test("two functions in use at once do not affect each other", () => {
  const [seedA, seedB] = [randomBytes(32), randomBytes(32)];
  const a = sha256Algorithm.createFunction(seedA);
  const b = sha256Algorithm.createFunction(seedB);
  for (let input = 0; input < 50; input++) {
    assert.equal(a.isBelow(input, wordsOf(nativeHash(seedA, input) + 1n)), true);
    assert.equal(b.isBelow(input, wordsOf(nativeHash(seedB, input))), false);
  }
});

test("throws for a seed that is not 32 bytes", () => {
  for (const length of [0, 31, 33])
    assert.throws(() => sha256Algorithm.createFunction(new Uint8Array(length)), RangeError);
});
