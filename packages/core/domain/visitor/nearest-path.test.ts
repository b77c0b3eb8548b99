import assert from "node:assert/strict";
import { test } from "node:test";
import { SHAPE_LENGTH, SHAPE_REACH, UNITS_A_LINE } from "@stile/risk/trajectory/path-shape";
import fc from "fast-check";
import { nearestDistance, SHAPE_BYTES } from "./nearest-path.ts";

const flatOf = (...shapes: readonly Int8Array[]): Int8Array => Int8Array.from(shapes.flatMap((shape) => [...shape]));
const all = (): boolean => true;
const level = (value: number): Int8Array => new Int8Array(SHAPE_LENGTH).fill(value);

test("the distance is the root mean square in lines from start to end", () => {
  const distance = nearestDistance(level(5), flatOf(level(9), level(6), level(4)), 3, all) ?? assert.fail("none");
  assert.ok(Math.abs(distance - 1 / UNITS_A_LINE) < 1e-12, String(distance));
  assert.equal(nearestDistance(level(5), flatOf(level(5)), 1, all), 0);
});

test("what is out of reach, left out, or not held counts for nothing", () => {
  const far = Math.ceil(SHAPE_REACH * UNITS_A_LINE) + 5;
  assert.equal(nearestDistance(level(5), flatOf(level(far), level(-far)), 2, all), undefined);
  const flat = flatOf(level(5), level(6));
  assert.equal(
    nearestDistance(level(5), flat, 2, () => false),
    undefined,
  );
  assert.equal(
    nearestDistance(level(5), flat, 2, (index) => index === 1),
    1 / UNITS_A_LINE,
  );
  assert.equal(nearestDistance(level(5), flat, 0, all), undefined);
});

test("leaving out early finds the same nearest shape as looking at all of all", () => {
  const shape = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: SHAPE_BYTES, maxLength: SHAPE_BYTES });
  fc.assert(
    fc.property(shape, fc.array(shape, { maxLength: 12 }), (one, others) => {
      const squares = others.map((other) => other.reduce((sum, value, i) => sum + (value - (one[i] ?? 0)) ** 2, 0));
      const nearest = Math.sqrt(Math.min(...squares) / SHAPE_BYTES) / UNITS_A_LINE;
      const found = nearestDistance(Int8Array.from(one), Int8Array.from(others.flat()), others.length, all);
      if (nearest <= SHAPE_REACH) assert.ok(Math.abs((found ?? 9) - nearest) < 1e-12);
      else assert.equal(found, undefined);
    }),
    { numRuns: 300 },
  );
});
