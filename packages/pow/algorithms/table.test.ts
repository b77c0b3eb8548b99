import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { ALGORITHMS } from "./algorithms.ts";
import { ALGORITHM_NUMBERS, isAlgorithmNumber } from "./table.ts";

test("names an algorithm exactly by its number in the design", () => {
  const known = Array.from({ length: 256 }, (_, number) => number).filter(isAlgorithmNumber);
  assert.deepEqual(known, [1, 2]);
  assert.deepEqual(known, [...ALGORITHM_NUMBERS]);
  assert.deepEqual(known, Object.keys(ALGORITHMS).map(Number));
  for (const value of [-1, 0, 1.5, 256, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(isAlgorithmNumber(value), false);
});

test("search and isBelow agree in every algorithm, so that a server accepts a browser's solution", () => {
  const target = { high: 2 ** 22, low: 12_345 };
  for (const { createFunction } of Object.values(ALGORITHMS)) {
    const seed = randomBytes(32);
    const [solving, checking] = [createFunction(seed), createFunction(seed)];
    const hit = solving.search(0, 65_536, target);
    assert.ok(hit < 65_536);
    assert.equal(checking.isBelow(hit, target), true);
    for (let input = Math.max(0, hit - 64); input < hit; input++)
      assert.equal(checking.isBelow(input, target), false);
  }
});

test("every algorithm gives another function for another seed", () => {
  const target = { high: 2 ** 30, low: 0 };
  for (const { createFunction } of Object.values(ALGORITHMS)) {
    const picture = (seed: Uint8Array): string => {
      const puzzleFunction = createFunction(seed);
      return Array.from({ length: 128 }, (_, input) =>
        Number(puzzleFunction.isBelow(input, target)),
      ).join("");
    };
    const seed = randomBytes(32);
    assert.equal(picture(seed), picture(Uint8Array.from(seed)));
    for (const byte of [0, 15, 31]) {
      const other = Uint8Array.from(seed);
      other[byte] = (other[byte] as number) ^ 1;
      assert.notEqual(picture(other), picture(seed));
    }
  }
});
