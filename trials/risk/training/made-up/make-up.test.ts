import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { extractFeatures } from "@stile/risk/trajectory/features";
import { preparePath, type Segment } from "@stile/risk/trajectory/segment";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import { drawContext, toDonor } from "./context.ts";
import { makeUp, SCORED_FAMILIES, TRAINED_FAMILIES } from "./make-up.ts";

const course = (i: number) =>
  ({ from: [100 + 20 * i, 600 - 3 * i], to: [900 - 11 * i, 300 + 7 * i] }) as const;
const DONORS = Array.from(
  { length: 20 },
  (_, i) => toDonor(handPath(course(i), i)) ?? assert.fail("no donor"),
);
const FAMILIES = Object.entries({ ...TRAINED_FAMILIES, ...SCORED_FAMILIES });
const PATHS = 150;
type Sample = Segment[number];

const drawAll = (family: (typeof FAMILIES)[number][1]): Segment[] =>
  Array.from({ length: PATHS }, (_, seed) => makeUp(family, DONORS, createRandom(seed)));
const moves = (segment: Segment): Segment => segment.filter(([, , , kind]) => kind === "m");

for (const [name, family] of FAMILIES) {
  test(`${name}: draws whole px in the order of time, then a press at the pointer's place`, () => {
    for (const segment of drawAll(family)) {
      const last = moves(segment).at(-1) ?? assert.fail("no move");
      const [down, up] = segment.slice(-2);
      assert.deepEqual([down?.[3], up?.[3]], ["d", "u"]);
      assert.deepEqual([down?.[1], down?.[2]], [last[1], last[2]]);
      segment.forEach(([ms, x, y], i) => {
        assert.ok(Number.isInteger(x) && Number.isInteger(y) && Number.isFinite(ms));
        assert.ok(i === 0 || ms >= (segment[i - 1]?.[0] ?? 0), `${name} ${i}`);
      });
    }
  });

  test(`${name}: draws new numbers for every path, and its paths can be scored`, () => {
    const features = drawAll(family).flatMap((segment) => {
      const path = preparePath(segment);
      return path === undefined ? [] : [extractFeatures(path).join()];
    });
    assert.ok(features.length > 0.8 * PATHS, `${features.length}`);
    assert.ok(new Set(features).size > 0.95 * features.length);
  });

  test(`${name}: gets somewhere with nearly every path`, () => {
    const lines = drawAll(family).map((segment) => {
      const [[, startX, startY], [, endX, endY]] = [moves(segment)[0], moves(segment).at(-1)] as [
        Sample,
        Sample,
      ];
      return Math.hypot(endX - startX, endY - startY);
    });
    assert.ok(lines.filter((line) => line > 40).length > 0.9 * PATHS);
  });
}

test("generates the same path for the same seed", () => {
  const make = (seed: number) => makeUp(TRAINED_FAMILIES.bezier, DONORS, createRandom(seed));
  assert.deepEqual(make(3), make(3));
  assert.notDeepEqual(make(3), make(4));
});

test("borrows a person's path and times for most programs, and a clock for others", () => {
  const random = createRandom(3);
  const contexts = Array.from({ length: 600 }, () => drawContext(random, DONORS));
  const ways =
    contexts.filter(({ from }) => DONORS.some((donor) => donor.from === from)).length / 600;
  const times =
    contexts.filter((it) => DONORS.some((donor) => donor.times === it.times)).length / 600;
  assert.ok(Math.abs(ways - 0.65) < 0.07 && Math.abs(times - 0.55) < 0.07, `${ways} ${times}`);
  for (const { times: all } of contexts) {
    assert.ok(all[0] === 0 && all.every((ms, i) => i === 0 || ms >= (all[i - 1] ?? 0)));
  }
});

test("borrows nothing from a recording in which hardly anything moved", () => {
  assert.equal(toDonor(handPath(course(1), 1).slice(-3)), undefined);
});
