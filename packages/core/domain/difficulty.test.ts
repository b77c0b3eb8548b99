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

test("who looks like a bot pays four times, who looks odd or was asked for more twice, who was good half", () => {
  const known = { score: 0.05, wasGood: false, mustStepUp: false };
  assert.equal(riskExponent(known), 0);
  assert.equal(riskExponent({ ...known, score: 0.6 }), 2);
  assert.equal(riskExponent({ ...known, score: 0.59 }), 1);
  assert.equal(riskExponent({ ...known, score: 0.3 }), 1);
  assert.equal(riskExponent({ ...known, score: 0.29 }), 0);
  assert.equal(riskExponent({ ...known, mustStepUp: true }), 1);
  assert.equal(riskExponent({ ...known, wasGood: true }), -1);
});

test("having been good never excuses looking like a bot or a step-up", () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(score, fc.boolean(), (value, mustStepUp) => {
      const known = { score: value, mustStepUp };
      const [fresh, good] = [riskExponent({ ...known, wasGood: false }), riskExponent({ ...known, wasGood: true })];
      assert.ok(fresh === good || (fresh === 0 && good === -1));
    }),
  );
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
