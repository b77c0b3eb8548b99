import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { expandSchedule, INITIAL_STATE, runRounds, sha256 } from "./sha256.ts";

const native = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const own = (bytes: Uint8Array): string => Buffer.from(sha256(bytes)).toString("hex");

test("equals the native SHA-256 for every length from 0 to 200 bytes", () => {
  for (let length = 0; length <= 200; length++) {
    for (const bytes of [
      randomBytes(length),
      new Uint8Array(length),
      new Uint8Array(length).fill(0xff),
    ]) {
      assert.equal(
        own(bytes),
        native(bytes),
        `length ${length}: ${Buffer.from(bytes).toString("hex")}`,
      );
    }
  }
});

test("equals the native SHA-256 for 16 KiB, the largest environment signals", () => {
  const bytes = randomBytes(16 * 1024);
  assert.equal(own(bytes), native(bytes));
});

test("hashes a view into a larger buffer and leaves it unchanged", () => {
  const whole = randomBytes(300);
  const before = Buffer.from(whole);
  assert.equal(own(whole.subarray(17, 250)), native(before.subarray(17, 250)));
  assert.deepEqual(whole, before);
});

test("keeps no state between two calls", () => {
  const bytes = randomBytes(100);
  const first = own(bytes);
  own(randomBytes(64));
  assert.equal(own(bytes), first);
});

test("computes the same constants in an engine whose square and cube roots are sixteen units off in the last place", () => {
  const isPrime = (n: number): boolean =>
    n > 1 && Array.from({ length: n }, (_, d) => d).every((d) => d < 2 || n % d);
  const primes = Array.from({ length: 312 }, (_, n) => n).filter(isPrime);
  assert.equal(primes.length, 64);
  const slack = 16 * Number.EPSILON;
  for (const prime of primes) {
    for (const root of [Math.sqrt(prime), Math.cbrt(prime)]) {
      const word = (x: number): number => Math.floor((x % 1) * 2 ** 32);
      assert.equal(word(root * (1 - slack)), word(root * (1 + slack)), `prime ${prime}`);
    }
  }
});

test("computes the same in two parts as in one (the solver computes the seed's rounds once)", () => {
  const words = new Int32Array(64);
  for (let t = 0; t < 16; t++) words[t] = randomBytes(4).readInt32LE();
  expandSchedule(words, 16);
  const inOne = INITIAL_STATE.slice();
  runRounds(inOne, words, 0, 64);
  const inTwo = INITIAL_STATE.slice();
  runRounds(inTwo, words, 0, 8);
  runRounds(inTwo, words, 8, 64);
  assert.deepEqual(inTwo, inOne);
  assert.notDeepEqual(inOne, INITIAL_STATE);
});
