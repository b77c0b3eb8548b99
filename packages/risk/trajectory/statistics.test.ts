import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { correlation, createScratch, log1p, ratio, selectAt, spread } from "./statistics.ts";

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test("computes spreads and ratios as in textbooks, and 0 without values", () => {
  near(spread(Float64Array.of(1, 3), 2), 1);
  near(spread(Float64Array.of(1, 3, 9), 2, 2), 1);
  near(spread(Float64Array.of(), 0), 0);
  near(ratio(3, 4), 0.75);
  near(ratio(3, 0), 0);
  near(log1p(Math.E - 1), 1);
  near(log1p(-5), 0);
});

test("correlation is 1 for a line, -1 for its mirror image, 0 without variation or with too little", () => {
  const of = (a: readonly number[], b: readonly number[], lag = 0, count = b.length) =>
    correlation(Float64Array.from(a), Float64Array.from(b), lag, count);
  near(of([1, 2, 3, 4], [10, 20, 30, 40]), 1);
  near(of([1, 2, 3, 4], [4, 3, 2, 1]), -1);
  near(of([1, 1, 1, 1], [4, 3, 2, 1]), 0);
  near(of([1, 2], [1, 2]), 0);
  near(of([1, 5, 2, 8, 3], [0, 1, 5, 2, 8, 3], 1), 1);
  near(of([1, 5, 2, 8, 3, 100], [0, 1, 5, 2, 8, 3, -100], 1, 6), 1);
});

test("selects the value at a place as if all were sorted, and leaves values beyond the count alone", () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(values, fc.nat(), (some, place) => {
      const at = place % some.length;
      const room = Float64Array.from([...some, -1e9, Number.NaN]);
      const sorted = Float64Array.from(some).sort();
      assert.ok(selectAt(room, some.length, at) === sorted[at]);
      assert.deepEqual(room.slice(some.length), Float64Array.of(-1e9, Number.NaN));
      assert.deepEqual(room.slice(0, some.length).sort(), sorted);
    }),
  );
});

test("returns a scratch buffer of the requested length, however long that is", () => {
  const scratch = createScratch();
  assert.equal(scratch(10), scratch(20));
  for (const count of [1, 300, 5000, 3]) assert.ok(scratch(count).length >= count);
});
