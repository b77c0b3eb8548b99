import assert from "node:assert/strict";
import { test } from "node:test";
import { judgePath, termCount, toTerms } from "./model.ts";

const MODEL = {
  mean: [1, 10],
  spread: [2, 5],
  whitening: [
    [1, 0],
    [0.5, -0.5],
  ],
  coefficients: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, -2],
  calibration: { slope: 2, offset: -1 },
};

test("terms are the standardised features and their combinations, then their sizes, then their squares", () => {
  // (3 - 1) / 2 = 1 and (0 - 10) / 5 = -2; the combinations are 1 and 0.5 * 1 + -0.5 * -2 = 1.5.
  const terms = toTerms(MODEL, Float64Array.of(3, 0));
  assert.deepEqual([...terms], [1, -2, 1, 1.5, 1, 2, 1, 1.5, 1, 4, 1, 2.25]);
  assert.equal(terms.length, termCount(2));
});

test("log-odds are the weighted sum of the terms, calibrated", () => {
  const sum = 0.1 - 0.4 + 0.3 + 0.6 + 0.5 + 1.2 + 0.7 + 1.2 + 0.9 + 4 + 1.1 + 2.7 - 2;
  assert.ok(Math.abs(judgePath(MODEL, Float64Array.of(3, 0)) - (2 * sum - 1)) < 1e-12);
});

test("one wild feature says no more than one far out: a device never seen is not a program for it", () => {
  const far = judgePath(MODEL, Float64Array.of(1 + 2 * 8, 10));
  assert.equal(judgePath(MODEL, Float64Array.of(1e300, 10)), far);
  assert.ok(Number.isFinite(judgePath(MODEL, Float64Array.of(-1e300, 1e300))));
});
