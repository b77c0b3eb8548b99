import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { sumTrees } from "@stile/risk/trajectory/model";
import { binRows, boostTrees } from "./boosted-trees.ts";

const ROWS = 3000;

/** Rows of six even numbers; only the first two together decide the label, neither alone helps. */
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

test("fills every bin with about as many rows, and puts an edge at the upper end of its bin", () => {
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

test("gives a feature with one value one or two bins, and no tree uses it", () => {
  const flat = rows.map((row) => Float64Array.of(7, ...row));
  const trees = boostTrees(binRows(flat), { rows: all, labels, weights: even });
  assert.ok(trees.every(({ splits }) => splits.every(([feature]) => feature !== 0)));
});

test("learns a rule that needs two features together, and applies it to unseen rows", () => {
  const seen = all.filter((row) => row % 2 === 0);
  const trees = boostTrees(binned, { rows: seen, labels, weights: even });
  const unseen = all.filter((row) => row % 2 === 1);
  const right = unseen.filter((row) =>
    isRight(sumTrees(trees, rows[row] ?? new Float64Array(0)), row),
  );
  assert.ok(right.length / unseen.length > 0.93, String(right.length / unseen.length));
});

test("keeps trees shallow and few, with sixty rows in every leaf", () => {
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

test("ignores rows without weight, and rows that are not among those given", () => {
  const half = all.filter((row) => row % 2 === 0);
  const wrong = labels.map((label, row) => (row % 2 === 0 ? label : 1 - label));
  const lesson = { rows: half, labels, weights: even };
  assert.deepEqual(boostTrees(binned, { ...lesson, labels: wrong }), boostTrees(binned, lesson));
});

test("follows the heavier rows if labels contradict each other", () => {
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

test("grows the same trees from the same rows, and none from too few", () => {
  const lesson = { rows: all, labels, weights: even };
  assert.deepEqual(boostTrees(binned, lesson), boostTrees(binned, lesson));
  assert.deepEqual(boostTrees(binned, { ...lesson, rows: all.slice(0, 100) }), []);
});
