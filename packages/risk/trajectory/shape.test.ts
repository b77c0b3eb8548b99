import assert from "node:assert/strict";
import { test } from "node:test";
import { cubicError, GRID, minimumJerk, toCourse } from "./shape.ts";

test("a course runs from 0 to 1 along its own line, whatever its place, direction and size", () => {
  const t = [0, 20, 40, 60];
  const flat = toCourse({ t, x: [0, 10, 20, 30], y: [0, 6, -6, 0] });
  const turned = toCourse({ t, x: [500, 488, 512, 500], y: [100, 120, 140, 160] });
  assert.equal(flat.u.length, GRID);
  assert.equal(flat.flow.length, GRID - 1);
  assert.deepEqual([flat.u[0], flat.v[0], flat.chord], [0, 0, 30]);
  for (let i = 0; i < GRID; i++) {
    assert.ok(Math.abs((flat.u[i] ?? 0) - i / (GRID - 1)) < 1e-12);
    assert.ok(Math.abs((flat.u[i] ?? 0) - (turned.u[i] ?? 9)) < 1e-12);
    assert.ok(Math.abs((flat.v[i] ?? 0) - (turned.v[i] ?? 9)) < 1e-12);
  }
});

test("gives a path that ends where it began a line of 1 px rather than none", () => {
  const { u, chord } = toCourse({ t: [0, 10, 20], x: [5, 9, 5], y: [5, 5, 5] });
  assert.equal(chord, 1);
  assert.ok(u.every(Number.isFinite));
});

test("fits a cubic exactly and a zigzag badly", () => {
  const cubic = Float64Array.from({ length: GRID }, (_, i) => {
    const s = i / (GRID - 1);
    return 2 * s ** 3 - 5 * s * s + 4 * s + 1;
  });
  assert.ok(cubicError(cubic) < 1e-9);
  assert.ok(cubicError(Float64Array.from({ length: GRID }, (_, i) => i % 2)) > 0.4);
});

test("starts and ends least jerk at rest, and is half-way at half time", () => {
  assert.deepEqual([minimumJerk(0), minimumJerk(0.5), minimumJerk(1)], [0, 0.5, 1]);
  assert.ok(minimumJerk(0.01) < 1e-4 && minimumJerk(0.99) > 1 - 1e-4);
});
