import assert from "node:assert/strict";
import { test } from "node:test";
import { SHAPE_LENGTH, SHAPE_REACH, UNITS_A_LINE } from "@stile/risk/trajectory/path-shape";
import fc from "fast-check";
import { cellOf, cellsAround, nearestDistance, SHAPE_BYTES } from "./nearest-path.ts";

const flatOf = (...shapes: readonly Int8Array[]): Int8Array => Int8Array.from(shapes.flatMap((shape) => [...shape]));
const all = (): boolean => true;
const level = (value: number): Int8Array => new Int8Array(SHAPE_LENGTH).fill(value);

test("the distance is the root mean square in lines from start to end", () => {
  const distance =
    nearestDistance(level(5), flatOf(level(9), level(6), level(4)), [0, 1, 2], all) ?? assert.fail("none");
  assert.ok(Math.abs(distance - 1 / UNITS_A_LINE) < 1e-12, String(distance));
  assert.equal(nearestDistance(level(5), flatOf(level(5)), [0], all), 0);
});

test("what is out of reach, left out, or not held counts for nothing", () => {
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

test("leaving out early finds the same nearest shape as looking at all of all", () => {
  const shape = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: SHAPE_BYTES, maxLength: SHAPE_BYTES });
  fc.assert(
    fc.property(shape, fc.array(shape, { maxLength: 12 }), (one, others) => {
      const squares = others.map((other) => other.reduce((sum, value, i) => sum + (value - (one[i] ?? 0)) ** 2, 0));
      const nearest = Math.sqrt(Math.min(...squares) / SHAPE_BYTES) / UNITS_A_LINE;
      const found = nearestDistance(Int8Array.from(one), Int8Array.from(others.flat()), others.keys(), all);
      if (nearest <= SHAPE_REACH) assert.ok(Math.abs((found ?? 9) - nearest) < 1e-12);
      else assert.equal(found, undefined);
    }),
    { numRuns: 300 },
  );
});

test("whatever is within reach of a shape lies in its cell or beside it", () => {
  const reach = Math.floor(SHAPE_REACH * UNITS_A_LINE * Math.sqrt(SHAPE_BYTES));
  const number = fc.integer({ min: -127, max: 127 });
  const shape = fc.array(number, { minLength: SHAPE_BYTES, maxLength: SHAPE_BYTES });
  const steps = fc.array(fc.tuple(fc.nat(SHAPE_BYTES - 1), fc.constantFrom(-1, 1)), { maxLength: reach ** 2 });
  fc.assert(
    fc.property(shape, steps, (one, moves) => {
      const other = Int8Array.from(one);
      for (const [at, by] of moves) other[at] = Math.max(-127, Math.min(127, (other[at] ?? 0) + by));
      const isNear = nearestDistance(Int8Array.from(one), other, [0], all) !== undefined;
      if (isNear) assert.ok(cellsAround(cellOf(Int8Array.from(one), 0)).includes(cellOf(other, 0)));
    }),
    { numRuns: 500 },
  );
  // The farthest that two shapes within reach can be apart in one sum: all numbers of it changed alike.
  for (const offset of [0, 1]) {
    const moved = level(3).map((value, i) => (i % 2 === offset ? value + 2 : value));
    assert.ok(nearestDistance(level(3), moved, [0], all) !== undefined);
    assert.ok(cellsAround(cellOf(level(3), 0)).includes(cellOf(moved, 0)));
  }
});
