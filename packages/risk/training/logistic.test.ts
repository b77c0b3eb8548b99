import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../seeded-random.ts";
import { fitLogistic, type Sample } from "./logistic.ts";

const TRUE = [1.5, -0.8, 0] as const;
const CONSTANT = 0.4;

/** Samples whose labels follow TRUE and CONSTANT, with terms on very different scales. */
function madeUpSamples(count: number): Sample[] {
  const random = createRandom(5);
  return Array.from({ length: count }, () => {
    const terms = Float64Array.of(4 * random() - 2, 4 * random() - 2, 1000 * random());
    const sum = CONSTANT + terms.reduce((total, term, i) => total + term * (TRUE[i] ?? 0), 0);
    return { terms, label: random() < 1 / (1 + Math.exp(-sum)) ? 1 : 0, weight: 1 };
  });
}

const SAMPLES = madeUpSamples(20_000);
const sizeOf = (coefficients: Float64Array): number =>
  Math.hypot(coefficients[0] ?? 0, coefficients[1] ?? 0);

test("recovers the coefficients behind synthetic labels, in the original scale of the terms", () => {
  const { coefficients } = fitLogistic(SAMPLES, 0);
  TRUE.forEach((value, i) => {
    const tolerance = i === 2 ? 2e-4 : 0.08;
    assert.ok(Math.abs((coefficients[i] ?? 9) - value) < tolerance, `${i}: ${coefficients[i]}`);
  });
  assert.ok(Math.abs((coefficients[3] ?? 9) - CONSTANT) < 0.1, String(coefficients[3]));
});

test("a penalty shrinks the coefficients, a large one to nothing, and never the constant", () => {
  const sizes = [0, 1000, 10_000, 1e7].map((penalty) =>
    sizeOf(fitLogistic(SAMPLES, penalty).coefficients),
  );
  sizes.forEach((size, i) => void assert.ok(i === 0 || size < (sizes[i - 1] ?? 0), String(sizes)));
  assert.ok((sizes[3] ?? 1) < 1e-3);
  const share = SAMPLES.filter(({ label }) => label === 1).length / SAMPLES.length;
  const { coefficients } = fitLogistic(SAMPLES, 1e5);
  assert.ok(
    Math.abs((coefficients[3] ?? 9) - Math.log(share / (1 - share))) < 0.05,
    String(coefficients[3]),
  );
});

test("counts a sample of weight 3 like three samples", () => {
  const some = SAMPLES.slice(0, 300);
  const heavy = some.map((sample, i) => ({ ...sample, weight: i < 100 ? 3 : 1 }));
  const repeated = [...some, ...some.slice(0, 100), ...some.slice(0, 100)];
  const fit = (samples: readonly Sample[]): Float64Array => fitLogistic(samples, 0).coefficients;
  fit(heavy).forEach(
    (value, i) => void assert.ok(Math.abs(value - (fit(repeated)[i] ?? 9)) < 0.02, String(i)),
  );
});

test("gives the same coefficients for the same samples, bit by bit", () => {
  const some = SAMPLES.slice(0, 2000);
  assert.deepEqual(fitLogistic(some, 10), fitLogistic(some, 10));
});
