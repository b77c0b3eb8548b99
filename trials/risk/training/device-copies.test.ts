import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import fc from "fast-check";
import { coalesced, copyOnDevice, drawDevice, slowDevice, USUAL_REGIMES } from "./device-copies.ts";

const HAND = handPath({ from: [120, 640], to: [470, 362] }, 5);
const press = (segment: Segment) =>
  segment.find(([, , , kind]) => kind === "d") ?? assert.fail("no press");
const moves = (segment: Segment): Segment => segment.filter(([, , , kind]) => kind === "m");
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const copy = (seed: number): Segment =>
  copyOnDevice(HAND, drawDevice(createRandom(seed)), createRandom(seed + 1));

test("copies a path in the same way for the same seed, and in another way for another seed", () => {
  assert.deepEqual(copy(3), copy(3));
  assert.notDeepEqual(copy(3), copy(4));
});

test("a copy is the same movement: whole px, in the order of time, up to the same press, without moves at rest", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const made = copy(seed);
      const scale = press(made)[1] / press(HAND)[1];
      assert.ok(scale >= 0.43 && scale <= 2.31, String(scale));
      assert.ok(press(made)[0] >= press(HAND)[0] && press(made)[0] < press(HAND)[0] + 60);
      moves(made).forEach(([ms, x, y], i, all) => {
        assert.ok(Number.isInteger(x) && Number.isInteger(y));
        const [beforeMs, beforeX, beforeY] = all[i - 1] ?? [Number.NEGATIVE_INFINITY, -1, -1];
        assert.ok(ms >= beforeMs && ms <= press(made)[0]);
        assert.ok(x !== beforeX || y !== beforeY);
      });
    }),
    { numRuns: 300 },
  );
});

test("draws every kind of device, but none for every path", () => {
  const drawn = Array.from({ length: 400 }, (_, seed) => drawDevice(createRandom(seed)).regimes);
  for (const regime of USUAL_REGIMES) {
    const share = drawn.filter((regimes) => regimes.includes(regime)).length / drawn.length;
    assert.ok(share > 0.04 && share < 0.7, `${regime} ${share}`);
  }
});

test("keeps the last place of each window when coalescing, at its own time or the frame's", () => {
  const walk = Array.from({ length: 12 }, (_, i): Segment[number] => [4 * i, i, 0, "m"]);
  const places = (atFrames: boolean) =>
    coalesced(16, atFrames)(walk, createRandom(1)).map(([ms, x]) => [ms, x]);
  assert.deepEqual(places(false), [
    [12, 3],
    [28, 7],
    [44, 11],
  ]);
  assert.deepEqual(places(true), [
    [16, 3],
    [32, 7],
    [48, 11],
  ]);
});

test("shows on a slow screen only its frames, and half of them if the page blocks", () => {
  const shown = (hertz: number, busyMs = 0) =>
    moves(copyOnDevice(HAND, slowDevice(hertz, busyMs), createRandom(2))).length;
  const lastMs = moves(HAND).at(-1)?.[0] ?? 0;
  for (const hertz of [60, 30, 15])
    assert.ok(shown(hertz) <= (lastMs * hertz) / 1000 + 2, `${hertz} Hz: ${shown(hertz)}`);
  assert.ok(shown(60, 30) <= 0.6 * shown(60), `${shown(60, 30)} of ${shown(60)}`);
});

test("leaves a path of fewer than two moves unchanged", () => {
  const jump: Segment = [
    [0, 5, 5, "m"],
    [9, 5, 5, "d"],
  ];
  assert.deepEqual(copyOnDevice(jump, drawDevice(createRandom(1)), createRandom(1)), jump);
});
