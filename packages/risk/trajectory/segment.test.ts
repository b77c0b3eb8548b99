import assert from "node:assert/strict";
import { test } from "node:test";
import { lastMovement, preparePath, type Segment } from "./segment.ts";

/** Moves 10 px to the right every `gapMs`, then a press. */
function walk(count: number, gapMs: number, startMs = 0): Segment {
  const moves = Array.from({ length: count }, (_, i): Segment[number] => [
    startMs + i * gapMs,
    10 * i,
    50,
    "m",
  ]);
  return [...moves, [startMs + count * gapMs, 10 * count, 50, "d"]];
}

test("merges samples of a fast mouse, so that it looks like a slower one", () => {
  const path = preparePath(walk(80, 1)) ?? assert.fail("no path");
  const gaps = path.t.slice(1).map((ms, i) => ms - (path.t[i] ?? 0));
  assert.ok(
    gaps.slice(0, -1).every((gap) => gap >= 11 && gap <= 13),
    gaps.join(),
  );
  assert.equal(path.x.at(-1), 790);
});

test("keeps samples at a screen's rate as they are", () => {
  const path = preparePath(walk(20, 16)) ?? assert.fail("no path");
  assert.deepEqual(
    path.t,
    Array.from({ length: 20 }, (_, i) => 16 * i),
  );
  assert.deepEqual(
    path.x,
    Array.from({ length: 20 }, (_, i) => 10 * i),
  );
});

test("begins another movement after a pause of more than 800 ms, but not after 800 ms", () => {
  const early = walk(10, 16).slice(0, -1);
  const lengthAfter = (pauseMs: number): number | undefined =>
    preparePath([...early, ...walk(10, 16, 144 + pauseMs)])?.t.length;
  assert.equal(lengthAfter(801), 10);
  assert.equal(lengthAfter(800), 20);
});

test("leaves out everything more than 3 s before the press", () => {
  const path = preparePath(walk(100, 50)) ?? assert.fail("no path");
  assert.deepEqual([path.t[0], path.t.at(-1), path.x[0]], [0, 2950, 400]);
});

test("scores no path with too little movement: three samples, 25 px, or no press at all", () => {
  assert.equal(preparePath(walk(3, 16)), undefined);
  assert.notEqual(preparePath(walk(4, 16)), undefined);
  const still: Segment = walk(40, 16).map(([ms, , y, kind]) => [ms, ms === 0 ? 24 : 0, y, kind]);
  assert.equal(preparePath(still), undefined);
  assert.equal(preparePath(walk(40, 16).slice(0, -1)), undefined);
  assert.equal(preparePath([]), undefined);
});

test("ignores everything after the press", () => {
  const segment = walk(20, 16);
  assert.deepEqual(
    preparePath([...segment, [400, 1, 1, "u"], [500, 900, 900, "m"]]),
    preparePath(segment),
  );
});

test("returns the gaps between moves as they came, before any were merged", () => {
  const { gapsMs } = preparePath(walk(9, 4)) ?? assert.fail("no path");
  assert.deepEqual(gapsMs, [4, 4, 4, 4, 4, 4, 4, 4]);
  const rested =
    preparePath([...walk(10, 16).slice(0, -1), ...walk(5, 30, 2000)]) ?? assert.fail("no path");
  assert.deepEqual(rested.gapsMs, [30, 30, 30, 30], "those of the last movement");
});

test("keeps in the last movement no move before a pause, and none too long before the press", () => {
  const places = [0, 900, 916, 932].map((atMs) => ({ atMs, x: atMs, y: 0 }));
  assert.deepEqual(
    lastMovement(places, 950).map(({ atMs }) => atMs),
    [900, 916, 932],
  );
  assert.deepEqual(
    lastMovement(places, 3910).map(({ atMs }) => atMs),
    [916, 932],
  );
  assert.deepEqual(lastMovement([], 10), []);
});
