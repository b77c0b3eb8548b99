import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { bentPath, replayedPath } from "./stolen-paths.ts";

/** A path of 120 px to the right, in a shallow bow. */
const WAY = {
  start: { x: 0, y: 0 },
  steps: Array.from({ length: 24 }, (_, i) => ({
    x: 5 * (i + 1),
    y: Math.round(20 * Math.sin((Math.PI * (i + 1)) / 24)),
    afterMs: 16,
  })),
  restMs: 90,
  pressMs: 80,
};
const stolen = () => [WAY];
const APPROACH = { from: { x: 40, y: 30 }, to: { x: 200, y: 90 }, clickMs: 2_000 };

const movesOf = (makePath: typeof replayedPath, seed: number) =>
  makePath(stolen)(APPROACH, createRandom(seed)).filter(([, , , kind]) => kind === 0);
const shapeOf = (moves: ReturnType<typeof movesOf>) => {
  const [firstMs = 0, x = 0, y = 0] = moves[0] ?? [];
  return moves.map((move) => [move[0] - firstMs, move[1] - x, move[2] - y]);
};

test("ends a stolen path at the requested place, in a press that clicks at its time", () => {
  for (const makePath of [replayedPath, bentPath]) {
    const samples = makePath(stolen)(APPROACH, createRandom(1));
    assert.deepEqual(
      samples.slice(-3).map(([, x, y, kind]) => [x, y, kind]),
      [1, 2, 4].map((kind) => [200, 90, kind]),
    );
    assert.equal(samples.at(-1)?.[0], 2_000);
    assert.ok(samples.every(([ms], i) => ms >= (samples[i - 1]?.[0] ?? 0)));
  }
});

test("replays a path the same each time, and never bends one the same way", () => {
  assert.deepEqual(shapeOf(movesOf(replayedPath, 1)), shapeOf(movesOf(replayedPath, 2)));
  assert.notDeepEqual(shapeOf(movesOf(bentPath, 1)), shapeOf(movesOf(bentPath, 2)));
});

test("starts a bent path near the pointer's current position", () => {
  const [, x = 0, y = 0] = movesOf(bentPath, 3)[0] ?? [];
  assert.ok(Math.hypot(x - APPROACH.from.x, y - APPROACH.from.y) < 15);
});
