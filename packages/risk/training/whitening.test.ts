import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../seeded-random.ts";
import { eigen, fitWhitening } from "./whitening.ts";

/** Rows of three features: the second follows the first, the third is its own; none of unit size. */
function madeUpRows(): Float64Array[] {
  const random = createRandom(11);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: 4000 }, () => {
    const first = normal();
    return Float64Array.of(100 + 7 * first, -3 + 0.02 * (first + 0.7 * normal()), 5 * normal());
  });
}

const covariance = (rows: readonly (readonly number[])[], i: number, j: number): number =>
  rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0) / rows.length;

test("whitened features are uncorrelated and of equal size, but for the ridge that keeps small ones small", () => {
  const rows = madeUpRows();
  const { mean, spread, whitening } = fitWhitening(rows);
  const white = rows.map((row) => {
    const z = Array.from(row, (value, i) => (value - (mean[i] ?? 0)) / (spread[i] ?? 1));
    return whitening.map((weights) => weights.reduce((sum, weight, i) => sum + weight * (z[i] ?? 0), 0));
  });
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < i; j++) assert.ok(Math.abs(covariance(white, i, j)) < 1e-9, `${i} ${j}`);
    const size = covariance(white, i, i);
    assert.ok(size > 0.85 && size <= 1, String(size));
  }
});

test("means and spreads are those of the rows", () => {
  const { mean, spread } = fitWhitening([Float64Array.of(1, 10), Float64Array.of(3, 10)]);
  assert.deepEqual(mean, [2, 10]);
  assert.ok(Math.abs((spread[0] ?? 0) - 1) < 1e-5);
  assert.ok((spread[1] ?? 0) > 0, "a feature that never varies is not divided by 0");
});

test("eigenvectors are stretched by their eigenvalues and stand at right angles", () => {
  const matrix = [
    [4, 1, 0.5],
    [1, 3, -1],
    [0.5, -1, 2],
  ];
  const { values, vectors } = eigen(matrix.map((row) => Float64Array.from(row)));
  vectors.forEach((vector, k) => {
    matrix.forEach((row, i) => {
      const image = row.reduce((sum, entry, j) => sum + entry * (vector[j] ?? 0), 0);
      assert.ok(Math.abs(image - (values[k] ?? 0) * (vector[i] ?? 0)) < 1e-9);
    });
    for (let other = 0; other < k; other++) {
      const product = vector.reduce((sum, entry, i) => sum + entry * (vectors[other]?.[i] ?? 0), 0);
      assert.ok(Math.abs(product) < 1e-9);
    }
  });
  assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - 9) < 1e-9, "their sum is the trace");
});
