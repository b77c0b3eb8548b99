import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import fc from "fast-check";
import { copyOnDevice, SLOW_REGIMES } from "./device-copies.ts";
import { drawSlowDevice } from "./slow-devices.ts";

const HAND = handPath({ from: [120, 640], to: [470, 362] }, 5);
const moves = (segment: Segment): Segment => segment.filter(([, , , kind]) => kind === "m");
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const copy = (seed: number): Segment =>
  copyOnDevice(HAND, drawSlowDevice(createRandom(seed)), createRandom(seed + 1));

test("copies a path in the same way for the same seed, and in another way for another seed", () => {
  assert.deepEqual(copy(3), copy(3));
  assert.notDeepEqual(copy(3), copy(4));
});

test("gives a slow copy fewer moves, in whole px and the order of time, before the press", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const made = copy(seed);
      assert.ok(moves(made).length < moves(HAND).length);
      const pressMs = made.find(([, , , kind]) => kind === "d")?.[0] ?? assert.fail("no press");
      moves(made).forEach(([ms, x, y], i, all) => {
        assert.ok(Number.isInteger(x) && Number.isInteger(y));
        assert.ok(ms >= (all[i - 1]?.[0] ?? 0) && ms <= pressMs);
      });
    }),
    { numRuns: 300 },
  );
});

test("draws every kind of slowness, one at a time", () => {
  const drawn = Array.from(
    { length: 200 },
    (_, seed) => drawSlowDevice(createRandom(seed)).regimes,
  );
  assert.ok(drawn.every((regimes) => regimes.length === 1));
  for (const regime of SLOW_REGIMES)
    assert.ok(drawn.filter(([it]) => it === regime).length > 20, regime);
});
