import assert from "node:assert/strict";
import { test } from "node:test";
import { interpretedHash, nonceNumber, seedNumber, VECTORS } from "./fixtures/vectors.ts";
import { generatePrograms } from "./program.ts";
import { emitSearchModule } from "./search-module.ts";
import { seedWordsOf, toU64s } from "./seed-words.ts";
import { instantiate, type SearchExports } from "./webassembly.ts";

const emit = (seed: Uint8Array): Uint8Array<ArrayBuffer> =>
  emitSearchModule(generatePrograms(seedWordsOf(seed)));

function compile(seed: Uint8Array) {
  const instance = instantiate<SearchExports>(emit(seed));
  assert.ok(instance !== undefined);
  const { hash, search } = instance.exports;
  const [, , b0, b1] = toU64s(seedWordsOf(seed));
  return {
    hash: (nonce: bigint) => BigInt.asUintN(64, hash(nonce, b0, b1)),
    search: (from: number, to: number, target: bigint) => search(from, to, target, b0, b1),
  };
}

test("the compiled function computes the published vectors", () => {
  for (const { seed, nonce, hash } of VECTORS) assert.equal(compile(seed).hash(nonce), hash);
});

test("compiled and interpreted function agree on 10,000 seeds and nonces", () => {
  for (let number = 0; number < 2500; number++) {
    const seed = seedNumber(number);
    const compiled = compile(seed);
    const interpreted = interpretedHash(seed);
    for (let i = 0; i < 4; i++) {
      const nonce = nonceNumber(4 * number + i);
      assert.equal(compiled.hash(nonce), interpreted(nonce), `seed ${number}, nonce ${nonce}`);
    }
  }
});

test("compiled and interpreted function still agree after the engine has optimized both", () => {
  const compiled = compile(seedNumber(1));
  const interpreted = interpretedHash(seedNumber(1));
  for (let nonce = 0n; nonce < 10_000n; nonce++)
    assert.equal(compiled.hash(nonce), interpreted(nonce));
});

test("finds exactly the nonces whose interpreted hash is below the target", () => {
  const target = 2n ** 58n;
  for (let number = 0; number < 5; number++) {
    const { search } = compile(seedNumber(number));
    const hash = interpretedHash(seedNumber(number));
    const expected = Array.from({ length: 2000 }, (_, nonce) => nonce).filter(
      (nonce) => hash(BigInt(nonce)) < target,
    );
    const found: number[] = [];
    for (let from = 0; from < 2000; ) {
      const hit = search(from, 2000, target);
      if (hit < 2000) found.push(hit);
      from = hit + 1;
    }
    assert.ok(found.length > 0);
    assert.deepEqual(found, expected);
  }
});

test("counts a hash equal to the target as no hit, and compares without a sign", () => {
  const { hash, search } = compile(seedNumber(1));
  for (let nonce = 0; nonce < 64; nonce++) {
    const value = hash(BigInt(nonce));
    assert.equal(search(nonce, nonce + 1, value), nonce + 1);
    assert.equal(search(nonce, nonce + 1, value + 1n), nonce);
  }
  assert.equal(search(0, 100, 2n ** 64n - 1n), 0);
});

test("returns the upper end for an empty search and for one without a hit", () => {
  const { search } = compile(seedNumber(1));
  assert.equal(search(7, 7, 2n ** 64n - 1n), 7);
  assert.equal(search(0, 300, 0n), 300);
  assert.equal(search(65_535, 65_536, 0n), 65_536);
});

test("keeps a module below 12 KiB for every seed", () => {
  const sizes = Array.from({ length: 200 }, (_, number) => emit(seedNumber(number)).length);
  assert.ok(Math.max(...sizes) < 12 * 1024, `${Math.max(...sizes)} bytes`);
  assert.ok(Math.min(...sizes) > 11_000);
});
