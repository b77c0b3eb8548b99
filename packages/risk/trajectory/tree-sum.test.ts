import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sumTrees, type Tree } from "./model.ts";
import { SHIPPED_MODEL } from "./shipped-model.ts";
import { prepareTrees } from "./tree-sum.ts";

const FEATURES = 4;
/**
 * Few values, so that features and thresholds are often equal, and every special kind of number.
 */
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-0, 0.5, 1e300, -1e300),
  fc.double(),
);
const threshold = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-0, 0.5),
  fc.double({ noNaN: true }),
);

/** A tree with that many leaves: each split divides an existing leaf, as a tree grows. */
const tree = fc
  .array(
    fc.tuple(
      fc.nat(),
      fc.integer({ min: 0, max: FEATURES - 1 }),
      threshold,
      fc.double({ noNaN: true }),
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((grown): Tree => {
    const splits: [number, number, number, number][] = [];
    const leaves = [0.25];
    for (const [place, feature, above, leaf] of grown) {
      const ends = splits.flatMap((split, at) =>
        ([2, 3] as const).filter((side) => split[side] < 0).map((side) => [at, side] as const),
      );
      const [at, side] = ends[place % Math.max(1, ends.length)] ?? [];
      const kept = at === undefined || side === undefined ? -1 : (splits[at]?.[side] ?? -1);
      if (at !== undefined && side !== undefined) (splits[at] as number[])[side] = splits.length;
      leaves.push(leaf);
      splits.push(
        place % 2 === 0
          ? [feature, above, kept, -leaves.length]
          : [feature, above, -leaves.length, kept],
      );
    }
    return { splits, leaves };
  });

test("evaluates all trees at once to the same sum as one by one, bit for bit, for any features", () => {
  const features = fc.array(value, { minLength: 0, maxLength: FEATURES });
  fc.assert(
    fc.property(
      fc.array(tree, { minLength: 1, maxLength: 5 }),
      fc.array(features, { minLength: 1 }),
      (trees, rows) => {
        const sumOf = prepareTrees(trees);
        for (const row of rows) {
          const asked = Float64Array.from(row);
          assert.ok(Object.is(sumOf(asked), sumTrees(trees, asked)), `${row}`);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("evaluates the shipped trees to the same sum, at each of their own thresholds and next to it", () => {
  const { trees } = SHIPPED_MODEL;
  const sumOf = prepareTrees(trees);
  const features = new Float64Array(SHIPPED_MODEL.features.length);
  for (const { splits } of trees) {
    for (const [feature, at] of splits) {
      for (const asked of [at, at + 1e-9, at - 1e-9]) {
        features[feature] = asked;
        assert.equal(sumOf(features), sumTrees(trees, features));
      }
    }
  }
});

test("refuses a tree that leads nowhere, and one with more leaves than a number has bits", () => {
  assert.throws(() => prepareTrees([{ splits: [[0, 1, 1, -2]], leaves: [1, 2] }]), RangeError);
  const splits = Array.from({ length: 31 }, (_, at): [number, number, number, number] => [
    0,
    at,
    -1 - at,
    at < 30 ? at + 1 : -32,
  ]);
  const leaves = splits.map((_, at) => at).concat(31);
  assert.throws(() => prepareTrees([{ splits, leaves }]), RangeError);
  const most = {
    splits: splits
      .slice(1)
      .map(([f, t, low, high]): [number, number, number, number] => [
        f,
        t,
        low,
        high > 0 ? high - 1 : high,
      ]),
    leaves,
  };
  assert.equal(
    prepareTrees([most])(Float64Array.of(12.5)),
    sumTrees([most], Float64Array.of(12.5)),
  );
});
