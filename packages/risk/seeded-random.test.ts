import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, seedOf } from "./seeded-random.ts";

test("gives the same numbers for the same seed, and others for another seed", () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed);
    return [random(), random(), random()];
  };
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
  assert.deepEqual(draw(-1), draw(2 ** 32 - 1));
});

test("spreads numbers evenly over [0, 1)", () => {
  const random = createRandom(1);
  const bins = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const value = random();
    assert.ok(value >= 0 && value < 1);
    bins[Math.floor(value * 10)]!++;
  }
  for (const count of bins) assert.ok(count > 850 && count < 1150, String(bins));
});

test("derives seeds from texts by FNV-1a", () => {
  assert.equal(seedOf(""), 0x811c9dc5);
  assert.equal(seedOf("a"), 0xe40c292c);
  assert.equal(seedOf("foobar"), 0xbf9cf968);
});
