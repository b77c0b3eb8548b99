import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { difficultyExponent, loadExponent, networkExponent, riskExponent } from "./difficulty.ts";

const NOTHING = { risk: 0, network: 0, load: 0, site: 0 };

test("the factors add up, and the sum stays within -1 .. +5", () => {
  assert.equal(difficultyExponent(NOTHING), 0);
  assert.equal(difficultyExponent({ risk: 1, network: 1, load: 1, site: 1 }), 4);
  assert.equal(difficultyExponent({ risk: -1, network: 0, load: 0, site: -1 }), -1);
  assert.equal(difficultyExponent({ risk: 2, network: 9, load: 2, site: 2 }), 5);
});

test("an address pays nothing up to 12 challenges a minute, from 24 on one doubling, from 48 two", () => {
  const rates = [0, 1, 11.9, 12, 23.9, 24, 47, 48, 96, 12 * 2 ** 5];
  assert.deepEqual(
    rates.map((rate) => networkExponent([rate])),
    [0, 0, 0, 0, 0, 1, 1, 2, 3, 5],
  );
});

test("the busier of address and network counts", () => {
  assert.equal(networkExponent([1, 24]), 1);
  assert.equal(networkExponent([96, 24]), 3);
  assert.equal(networkExponent([]), 0);
});

test("a rush on a site costs at most two doublings, so that phones are not locked out", () => {
  assert.deepEqual([0, 1, 2, 3.9, 4, 7.9, 8, 1000].map(loadExponent), [0, 0, 0, 0, 1, 1, 2, 2]);
});

test("who was asked for more pays twice, the browser of a redeemed token half; the first outweighs the second", () => {
  assert.equal(riskExponent({ mustStepUp: false, hasRedeemed: false }), 0);
  assert.equal(riskExponent({ mustStepUp: true, hasRedeemed: false }), 1);
  assert.equal(riskExponent({ mustStepUp: false, hasRedeemed: true }), -1);
  assert.equal(riskExponent({ mustStepUp: true, hasRedeemed: true }), 1);
});

test("more requests never make work cheaper", () => {
  const rate = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(rate, rate, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      assert.ok(networkExponent([less]) <= networkExponent([more]));
      assert.ok(loadExponent(less) <= loadExponent(more));
    }),
  );
});
