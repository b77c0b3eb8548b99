import assert from "node:assert/strict";
import { test } from "node:test";
import {
  COMMON_NETWORKS,
  COMMON_REACH,
  SHAPE_LENGTH,
  SHAPE_REACH,
  UNITS_A_LINE,
} from "@stile/risk/trajectory/path-shape";
import { countNetworksNear, nearestDistance } from "@stile/testkit/visits/path-searches";
import fc from "fast-check";
import {
  COMMON_SQUARES,
  isSketchBeyond,
  SHAPE_BYTES,
  SKETCH_LENGTH,
  searchNearest,
  searchNetworks,
  sketchInto,
  sketchReach,
} from "./nearest-path.ts";

const flatOf = (...shapes: readonly Int8Array[]): Int8Array =>
  Int8Array.from(shapes.flatMap((shape) => [...shape]));
const all = (): boolean => true;
const level = (value: number): Int8Array => new Int8Array(SHAPE_LENGTH).fill(value);

test("the distance is the root mean square in lines from start to end", () => {
  const distance =
    nearestDistance(level(5), flatOf(level(9), level(6), level(4)), [0, 1, 2], all) ??
    assert.fail("none");
  assert.ok(Math.abs(distance - 1 / UNITS_A_LINE) < 1e-12, String(distance));
  assert.equal(nearestDistance(level(5), flatOf(level(5)), [0], all), 0);
});

test("shapes out of reach, left out or not stored do not count", () => {
  const far = Math.ceil(SHAPE_REACH * UNITS_A_LINE) + 5;
  assert.equal(nearestDistance(level(5), flatOf(level(far), level(-far)), [0, 1], all), undefined);
  const flat = flatOf(level(5), level(6));
  assert.equal(
    nearestDistance(level(5), flat, [0, 1], () => false),
    undefined,
  );
  assert.equal(
    nearestDistance(level(5), flat, [0, 1], (index) => index === 1),
    1 / UNITS_A_LINE,
  );
  assert.equal(nearestDistance(level(5), flat, [], all), undefined);
});

test("stopping early finds the same nearest shape as a full comparison", () => {
  const shape = fc.array(fc.integer({ min: -2, max: 2 }), {
    minLength: SHAPE_BYTES,
    maxLength: SHAPE_BYTES,
  });
  fc.assert(
    fc.property(shape, fc.array(shape, { maxLength: 12 }), (one, others) => {
      const squares = others.map((other) =>
        other.reduce((sum, value, i) => sum + (value - (one[i] ?? 0)) ** 2, 0),
      );
      const nearest = Math.sqrt(Math.min(...squares) / SHAPE_BYTES) / UNITS_A_LINE;
      const found = nearestDistance(
        Int8Array.from(one),
        Int8Array.from(others.flat()),
        others.keys(),
        all,
      );
      if (nearest <= SHAPE_REACH) assert.ok(Math.abs((found ?? 9) - nearest) < 1e-12);
      else assert.equal(found, undefined);
    }),
    { numRuns: 300 },
  );
});

test("counts each network that drew about the same shape once, up to the number that makes a path common", () => {
  const near = Math.floor(COMMON_REACH * UNITS_A_LINE);
  assert.ok(near > SHAPE_REACH * UNITS_A_LINE, "wider than what one path is known by");
  const flat = flatOf(
    level(5),
    level(5 + near),
    level(5 - near),
    level(5 + near + 1),
    level(5),
    level(5),
  );
  const count = (...networks: readonly (number | undefined)[]): number =>
    countNetworksNear(level(5), flat, networks.keys(), (index) => networks[index]);
  assert.equal(count(1, 2), 2);
  assert.equal(count(1, 1, 2), 2);
  assert.equal(count(1, 2, undefined, 4), 2, "the fourth is out of reach");
  assert.equal(count(1, 2, 3, 4, 5, 6), COMMON_NETWORKS);
  assert.equal(count(), 0);
});

/** Whether two shapes may be near, by their sketches. The second one is stored at index 1. */
function areNearBySketch(one: Int8Array, other: Int8Array): boolean {
  const sketch = new Int16Array(SKETCH_LENGTH);
  const sketches = new Int16Array(2 * SKETCH_LENGTH).fill(9999);
  sketchInto(sketch, 0, flatOf(level(77), one), SHAPE_BYTES);
  sketchInto(sketches, 1, other, 0);
  return !isSketchBeyond(sketch, sketches, SKETCH_LENGTH, COMMON_SQUARES);
}

/** The greatest difference between two shapes in any number of their sketches. */
function apartBySketch(one: Int8Array, other: Int8Array): number {
  const sketches = new Int16Array(2 * SKETCH_LENGTH);
  [one, other].forEach((shape, at) => {
    sketchInto(sketches, at, shape, 0);
  });
  const numbers = Array.from(sketches.subarray(0, SKETCH_LENGTH));
  return Math.max(
    ...numbers.map((number, i) => Math.abs(number - (sketches[SKETCH_LENGTH + i] ?? 0))),
  );
}

test("shapes within reach of each other are near by their sketches, as a whole and in each number", () => {
  const reach = Math.floor(COMMON_REACH * UNITS_A_LINE * Math.sqrt(SHAPE_BYTES));
  const number = fc.integer({ min: -127, max: 127 });
  const shape = fc.array(number, { minLength: SHAPE_BYTES, maxLength: SHAPE_BYTES });
  const steps = fc.array(fc.tuple(fc.nat(SHAPE_BYTES - 1), fc.constantFrom(-1, 1)), {
    maxLength: reach ** 2,
  });
  fc.assert(
    fc.property(shape, steps, (one, moves) => {
      const other = Int8Array.from(one);
      for (const [at, by] of moves)
        other[at] = Math.max(-127, Math.min(127, (other[at] ?? 0) + by));
      const isNear = countNetworksNear(Int8Array.from(one), other, [0], () => 1) > 0;
      if (!isNear) return;
      assert.ok(apartBySketch(Int8Array.from(one), other) <= sketchReach(COMMON_SQUARES));
      assert.ok(areNearBySketch(Int8Array.from(one), other));
    }),
    { numRuns: 500 },
  );
  // The farthest that two shapes within reach can be apart in one sum: all of its numbers change
  // alike.
  for (const offset of [0, 1]) {
    const moved = level(3).map((value, i) => (i % 2 === offset ? value + 3 : value));
    assert.equal(
      countNetworksNear(level(3), moved, [0], () => 1),
      1,
    );
    assert.equal(apartBySketch(level(3), moved), 72);
    assert.ok(
      sketchReach(COMMON_SQUARES) >= 72 && sketchReach(COMMON_SQUARES) < 96,
      "four units apart is out of reach",
    );
  }
});

test("more similar shapes than a search compares make a shape near and common, for every author", () => {
  const far = level(5).map((value, i) => (i % 4 < 2 ? value + 40 : value - 40));
  const crowdOf = (size: number) =>
    Int8Array.from({ length: size * SHAPE_BYTES }, (_, i) => far[i % SHAPE_BYTES] ?? 0);
  const answers = (size: number, networkAt: (index: number) => number | undefined) => {
    const flat = crowdOf(size);
    const indices = Array.from({ length: size }, (_, i) => i);
    return [
      nearestDistance(level(5), flat, indices, (index) => networkAt(index) !== undefined),
      countNetworksNear(level(5), flat, indices, networkAt),
    ];
  };
  assert.deepEqual(
    answers(512, (index) => index),
    [undefined, 0],
  );
  assert.deepEqual(
    answers(513, (index) => index),
    [SHAPE_REACH, COMMON_NETWORKS],
  );
  assert.deepEqual(
    answers(513, () => 1),
    [SHAPE_REACH, COMMON_NETWORKS],
  );
  assert.deepEqual(
    answers(9999, () => undefined),
    [undefined, 0],
    "the visitor's own are no crowd",
  );
});

test("returns a near shape's distance even if a crowd then ends the search", () => {
  const flat = flatOf(level(5), ...Array.from({ length: 600 }, () => level(90)));
  const indices = Array.from({ length: 601 }, (_, i) => i);
  assert.equal(nearestDistance(level(5), flat, indices, all), 0);
});

test("a search returns the squares within which the rest matters: fewer with each nearer shape, none once a path is common or crowded", () => {
  const flat = flatOf(level(7), level(6), level(5), level(5), level(5), level(90));
  const nearest = searchNearest(level(5), flat, all);
  const looks = [5, 1, 0, 2].map((index) => nearest.look(index));
  assert.ok((looks[0] ?? 0) > SHAPE_BYTES && (looks[0] ?? 0) < COMMON_SQUARES);
  assert.deepEqual(looks.slice(1), [SHAPE_BYTES, SHAPE_BYTES, 0]);
  const networks = searchNetworks(level(5), flat, (index) => index);
  assert.deepEqual(
    [5, 4, 3, 2].map((index) => networks.look(index)),
    [COMMON_SQUARES, COMMON_SQUARES, COMMON_SQUARES, -1],
  );
  const crowded = searchNetworks(level(5), flat, (index) => index);
  assert.deepEqual(
    [crowded, nearest].map(({ look }) => Array.from({ length: 513 }, () => look(5)).at(-1)),
    [-1, -1],
  );
});

test("sketches accept shapes that are near by the sums of their parts, and nothing beyond them", () => {
  /**
   * Changes all numbers of one part of the sketch by `by`: a distance that the sum of this part
   * shows in full.
   */
  const partMoved = (part: number, by: number): Int8Array =>
    level(3).map((value, i) =>
      (i & 3) + (i >= SHAPE_BYTES / 2 ? 4 : 0) === part ? value + by : value,
    );
  const inReach = Math.floor(COMMON_REACH * UNITS_A_LINE * Math.sqrt(SKETCH_LENGTH));
  for (let part = 0; part < SKETCH_LENGTH; part++) {
    assert.ok(areNearBySketch(level(3), partMoved(part, inReach)), String(part));
    assert.ok(areNearBySketch(partMoved(part, inReach), level(3)), String(part));
    assert.ok(!areNearBySketch(level(3), partMoved(part, inReach + 1)), String(part));
    assert.ok(!areNearBySketch(partMoved(part, inReach + 1), level(3)), String(part));
  }
});
