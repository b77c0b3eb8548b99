import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  difficultyExponent,
  earningsExponent,
  loadExponent,
  networkExponent,
} from "./difficulty.ts";

const NOTHING = { risk: 0, network: 0, load: 0, site: 0 };

test("the factors add up, and the sum stays within -1 .. +5", () => {
  assert.equal(difficultyExponent(NOTHING), 0);
  assert.equal(difficultyExponent({ risk: 1, network: 1, load: 1, site: 1 }), 4);
  assert.equal(difficultyExponent({ risk: -1, network: 0, load: 0, site: -1 }), -1);
  assert.equal(difficultyExponent({ risk: 2, network: 9, load: 2, site: 2 }), 5);
});

test("an address pays nothing up to 12 challenges a minute, one doubling from 24 and two from 48", () => {
  const rates = [0, 1, 11.9, 12, 23.9, 24, 47, 48, 96, 12 * 2 ** 5];
  assert.deepEqual(
    rates.map((rate) => networkExponent(rate, 1)),
    [0, 0, 0, 0, 0, 1, 1, 2, 3, 5],
  );
});

test("in a rush the free rate shrinks: three requests a minute pay where one does not, and nobody pays over two doublings more", () => {
  const pricesAt = (siteRatio: number) =>
    [1, 2, 3, 6, 12, 24, 96].map((rate) => networkExponent(rate, siteRatio));
  assert.deepEqual(pricesAt(2), [0, 0, 0, 0, 0, 1, 3]);
  assert.deepEqual(pricesAt(4), [0, 0, 0, 0, 1, 2, 4]);
  assert.deepEqual(pricesAt(8), [0, 0, 0, 1, 2, 3, 5]);
  assert.deepEqual(pricesAt(100), [0, 1, 1, 2, 2, 3, 5]);
});

test("a rush on a site costs at most two doublings, so that phones are not locked out", () => {
  assert.deepEqual([0, 1, 2, 3.9, 4, 7.9, 8, 1000].map(loadExponent), [0, 0, 0, 0, 1, 1, 2, 2]);
});

test("the price doubles with each further half of the free tokens, up to 32 times (D10, limits)", () => {
  const priceOf = (earned: number, free: number): number => 2 ** earningsExponent(earned, free);
  assert.deepEqual(
    [0, 29, 30, 45, 60, 105, 1e6].map((earned) => priceOf(earned, 30)),
    [1, 1, 1, 2, 4, 32, 32],
  );
  assert.ok(Math.abs(priceOf(99, 30) - 24.25) < 0.01, "the 100th token of a quiet site");
  assert.deepEqual(
    [600, 900, 2100].map((earned) => priceOf(earned, 600)),
    [1, 2, 32],
  );
});

test("more requests never make work cheaper", () => {
  const rate = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(rate, rate, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      for (const ratio of [1, 3, 1000])
        assert.ok(networkExponent(less, ratio) <= networkExponent(more, ratio));
      assert.ok(networkExponent(7, less) <= networkExponent(7, more));
      assert.ok(loadExponent(less) <= loadExponent(more));
    }),
  );
});
