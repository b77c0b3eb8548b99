import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { sumTrees } from "@stile/risk/trajectory/model";
import { binRows, boostTrees } from "./boosted-trees.ts";

const ROWS = 3000;

/**
 * Rows of six even numbers; only the first two together decide the label, neither alone tells
 * anything.
 */
function madeUp() {
  const random = createRandom(5);
  const rows = Array.from({ length: ROWS }, () => Float64Array.from({ length: 6 }, () => random()));
  const labels = Uint8Array.from(rows, ([a = 0, b = 0]) => (a > 0.5 !== b > 0.5 ? 1 : 0));
  return { rows, labels, binned: binRows(rows) };
}

const { rows, labels, binned } = madeUp();
const all = Int32Array.from({ length: ROWS }, (_, row) => row);
const even = new Float64Array(ROWS).fill(1);
const isRight = (sum: number, row: number): boolean => sum > 0 === (labels[row] === 1);

test("every bin has about as many rows, and an edge is the upper end of its bin", () => {
  binned.bins.forEach((bins, feature) => {
    const edges = binned.edges[feature] ?? assert.fail();
    const counts = new Map<number, number>();
    bins.forEach((bin, row) => {
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
      const value = rows[row]?.[feature] ?? Number.NaN;
      assert.ok(bin === 0 || value > (edges[bin - 1] ?? Number.NaN));
      assert.ok(bin === edges.length || value <= (edges[bin] ?? Number.NaN));
    });
    assert.equal(counts.size, 64);
    for (const count of counts.values()) assert.ok(count > 30 && count < 65, String(count));
  });
});

test("a feature with one value has one bin or two, and no tree asks for it", () => {
  const flat = rows.map((row) => Float64Array.of(7, ...row));
  const trees = boostTrees(binRows(flat), { rows: all, labels, weights: even });
  assert.ok(trees.every(({ splits }) => splits.every(([feature]) => feature !== 0)));
});

test("what two features only tell together is learned, and holds for rows that were not seen", () => {
  const seen = all.filter((row) => row % 2 === 0);
  const trees = boostTrees(binned, { rows: seen, labels, weights: even });
  const unseen = all.filter((row) => row % 2 === 1);
  const right = unseen.filter((row) =>
    isRight(sumTrees(trees, rows[row] ?? new Float64Array(0)), row),
  );
  assert.ok(right.length / unseen.length > 0.93, String(right.length / unseen.length));
});

test("trees stay shallow and few, and every leaf rests on sixty rows", () => {
  const trees = boostTrees(binned, { rows: all, labels, weights: even });
  assert.equal(trees.length, 170);
  for (const { splits, leaves } of trees) {
    assert.equal(leaves.length, splits.length + 1);
    assert.ok(leaves.length <= 8);
    const counts = new Array<number>(leaves.length).fill(0);
    const marked = { splits, leaves: leaves.map((_, leaf) => leaf) };
    for (const row of rows) {
      const leaf = sumTrees([marked], row);
      counts[leaf] = (counts[leaf] ?? 0) + 1;
    }
    assert.ok(Math.min(...counts) >= 60, String(counts));
  }
});

test("rows that weigh nothing, or are not among those given, have no part in it", () => {
  const half = all.filter((row) => row % 2 === 0);
  const wrong = labels.map((label, row) => (row % 2 === 0 ? label : 1 - label));
  const lesson = { rows: half, labels, weights: even };
  assert.deepEqual(boostTrees(binned, { ...lesson, labels: wrong }), boostTrees(binned, lesson));
});

test("heavier rows count more: where labels contradict each other, the heavier ones are believed", () => {
  const twice = Int32Array.from([...all, ...all.map((row) => row + ROWS)]);
  const both = binRows([...rows, ...rows]);
  const labelled = Uint8Array.from([...labels, ...labels.map((label) => 1 - label)]);
  const weights = Float64Array.from(twice, (row) => (row < ROWS ? 1.8 : 0.2));
  const trees = boostTrees(both, { rows: twice, labels: labelled, weights });
  const right = all.filter((row) =>
    isRight(sumTrees(trees, rows[row] ?? new Float64Array(0)), row),
  );
  assert.ok(right.length / ROWS > 0.9, String(right.length / ROWS));
});

test("the same rows give the same trees; too few rows give none", () => {
  const lesson = { rows: all, labels, weights: even };
  assert.deepEqual(boostTrees(binned, lesson), boostTrees(binned, lesson));
  assert.deepEqual(boostTrees(binned, { ...lesson, rows: all.slice(0, 100) }), []);
});
