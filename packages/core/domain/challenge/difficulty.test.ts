import assert from "node:assert/strict";
import { test } from "node:test";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";
import fc from "fast-check";
import { difficultyExponent, earningsExponent, loadExponent, networkExponent } from "./difficulty.ts";

const NOTHING = { risk: 0, network: 0, load: 0, site: 0, isOverLimit: false };

test("the factors add up, and the sum stays within -1 .. +5", () => {
  assert.equal(difficultyExponent(NOTHING), 0);
  assert.equal(difficultyExponent({ risk: 1, network: 1, load: 1, site: 1, isOverLimit: false }), 4);
  assert.equal(difficultyExponent({ risk: -1, network: 0, load: 0, site: -1, isOverLimit: false }), -1);
  assert.equal(difficultyExponent({ risk: 2, network: 9, load: 2, site: 2, isOverLimit: false }), 5);
});

test("who works instead of being refused pays one doubling more, up to +6, which a phone still ends in time (D10)", () => {
  assert.equal(difficultyExponent({ ...NOTHING, isOverLimit: true }), 1);
  assert.equal(difficultyExponent({ risk: 0, network: 5, load: 0, site: 0, isOverLimit: true }), 6);
  assert.equal(difficultyExponent({ risk: 2, network: 9, load: 2, site: 2, isOverLimit: true }), 6);
  // The phone of the prototype takes 0.8 s for the base; the slowest of its twenty solves took half as long again.
  assert.ok(0.8 * 2 ** 6 * 1.5 < CHALLENGE_LIFE_SECONDS / 2);
});

test("an address pays nothing up to 12 challenges a minute, from 24 on one doubling, from 48 two", () => {
  const rates = [0, 1, 11.9, 12, 23.9, 24, 47, 48, 96, 12 * 2 ** 5];
  assert.deepEqual(
    rates.map((rate) => networkExponent(rate, 1)),
    [0, 0, 0, 0, 0, 1, 1, 2, 3, 5],
  );
});

test("in a rush the free rate shrinks: three requests a minute pay where one does not, and nobody more than two doublings", () => {
  const pricesAt = (siteRatio: number) => [1, 2, 3, 6, 12, 24, 96].map((rate) => networkExponent(rate, siteRatio));
  assert.deepEqual(pricesAt(2), [0, 0, 0, 0, 0, 1, 3]);
  assert.deepEqual(pricesAt(4), [0, 0, 0, 0, 1, 2, 4]);
  assert.deepEqual(pricesAt(8), [0, 0, 0, 1, 2, 3, 5]);
  assert.deepEqual(pricesAt(100), [0, 1, 1, 2, 2, 3, 5]);
});

test("a rush on a site costs at most two doublings, so that phones are not locked out", () => {
  assert.deepEqual([0, 1, 2, 3.9, 4, 7.9, 8, 1000].map(loadExponent), [0, 0, 0, 0, 1, 1, 2, 2]);
});

test("a network pays from a tenth of what it may earn in an hour on, and a doubling more with every doubling, at most four", () => {
  const earned = [0, 599, 600, 1199, 1200, 2400, 4800, 6000, 1e6];
  assert.deepEqual(
    earned.map((tokens) => earningsExponent({ tokens, doubtful: 0 }, 6000)),
    [0, 0, 1, 1, 2, 3, 4, 4, 4],
  );
});

test("a doubtful token counts four times, so that doubt is never worth more than two doublings", () => {
  const priceOf = (tokens: number, doubtful: number): number => earningsExponent({ tokens, doubtful }, 6000);
  assert.deepEqual([priceOf(149, 149), priceOf(150, 150), priceOf(200, 60), priceOf(300, 300)], [0, 1, 0, 2]);
  for (const tokens of [1, 150, 599, 600, 1199, 1200, 4800, 6000]) {
    const more = priceOf(tokens, tokens) - priceOf(tokens, 0);
    assert.ok(more >= 0 && more <= 2, `${tokens} tokens: ${more}`);
  }
});

test("more requests never make work cheaper", () => {
  const rate = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(rate, rate, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      for (const ratio of [1, 3, 1000]) assert.ok(networkExponent(less, ratio) <= networkExponent(more, ratio));
      assert.ok(networkExponent(7, less) <= networkExponent(7, more));
      assert.ok(loadExponent(less) <= loadExponent(more));
    }),
  );
});
