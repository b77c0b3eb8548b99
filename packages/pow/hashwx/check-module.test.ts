import assert from "node:assert/strict";
import { test } from "node:test";
import { emitCheckModule, NUMBERS_AT, TABLE_AT } from "./check-module.ts";
import { interpretedHash, nonceNumber, seedNumber, VECTORS } from "./fixtures/vectors.ts";
import { generatePrograms, NUMBERS } from "./program.ts";
import { seedWordsOf, toU64s } from "./seed-words.ts";
import { drawNumbers } from "./sip-generator.ts";
import { type CheckExports, instantiate } from "./webassembly.ts";

const instance = instantiate<CheckExports>(emitCheckModule());
assert.ok(instance !== undefined);
const { exports, memory } = instance;

/**
 * Loads the programs of a seed into the memory; `hash` is that of this seed until the next call.
 */
function load(seed: Uint8Array): (nonce: bigint) => bigint {
  const words = seedWordsOf(seed);
  memory.set(generatePrograms(words), TABLE_AT);
  const [, , b0, b1] = toU64s(words);
  return (nonce) => BigInt.asUintN(64, exports.hash(nonce, b0, b1));
}

test("the interpreting module computes the published vectors", () => {
  for (const { seed, nonce, hash } of VECTORS) assert.equal(load(seed)(nonce), hash);
});

test("the interpreting module agrees with the JavaScript interpreter on 10,000 seeds and nonces", () => {
  for (let number = 0; number < 2500; number++) {
    const hash = load(seedNumber(number));
    const expected = interpretedHash(seedNumber(number));
    for (let i = 0; i < 4; i++) {
      const nonce = nonceNumber(4 * number + i);
      assert.equal(hash(nonce), expected(nonce), `seed ${number}, nonce ${nonce}`);
    }
  }
});

test("the module draws the same numbers as JavaScript", () => {
  for (let number = 0; number < 100; number++) {
    const words = seedWordsOf(seedNumber(number));
    const expected = new Int32Array(2 * NUMBERS);
    drawNumbers({ keys: words, keyAt: 0, saltLow: -1, saltHigh: -1 }, expected, 0, NUMBERS);
    const [a0, a1] = toU64s(words);
    exports.draw(2n ** 64n - 1n, a0, a1);
    assert.deepEqual(new Int32Array(memory.buffer, NUMBERS_AT, 2 * NUMBERS), expected);
  }
});

test("a hash does not change the programs, or any memory that another hash reads", () => {
  const hash = load(seedNumber(1));
  const before = hash(5n);
  const table = memory.slice(TABLE_AT, TABLE_AT + 1024);
  memory.fill(0xff, 0, TABLE_AT);
  assert.equal(hash(5n), before);
  assert.deepEqual(memory.slice(TABLE_AT, TABLE_AT + 1024), table);
});

test("the module writes only to its named regions: scratchpad, registers, numbers", () => {
  const hash = load(seedNumber(2));
  memory.fill(0xaa, 2048 + 80, TABLE_AT);
  memory.fill(0xaa, TABLE_AT + 1024);
  hash(1n);
  exports.draw(0n, 1n, 2n);
  const untouched = [
    memory.subarray(2048 + 80, TABLE_AT),
    memory.subarray(TABLE_AT + 1024, NUMBERS_AT),
    memory.subarray(NUMBERS_AT + 8 * NUMBERS),
  ];
  for (const region of untouched)
    assert.ok(region.length > 0 && region.every((byte) => byte === 0xaa));
});

test("the module is small enough for a page's own thread in every browser: below 4 KiB", () => {
  assert.ok(emitCheckModule().length < 4096, `${emitCheckModule().length} bytes`);
});
