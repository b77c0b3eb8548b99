import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import fc from "fast-check";
import { extractFeatures, FEATURE_COUNT, FEATURE_NAMES } from "./features.ts";
import { preparePath, type Segment } from "./segment.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const HAND = handPath(COURSE, 7);

const featuresOf = (segment: Segment): Float64Array =>
  extractFeatures(preparePath(segment) ?? assert.fail("nothing to judge"));

const moved = (segment: Segment, ms: number, dx: number, dy: number): Segment =>
  segment.map(([at, x, y, kind]) => [at + ms, x + dx, y + dy, kind]);

test("any path at all has as many finite features as there are names", () => {
  const place = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
  const time = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
  let judged = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(time, place, place), { minLength: 5, maxLength: 60 }),
      fc.boolean(),
      (samples, isSorted) => {
        const ordered = isSorted ? samples.toSorted((a, b) => a[0] - b[0]) : samples;
        const moves = ordered.map(([ms, x, y]): Segment[number] => [ms, x, y, "m"]);
        const path = preparePath([...moves, [moves.at(-1)?.[0] ?? 0, 0, 0, "d"]]);
        if (path === undefined) return;
        judged++;
        const features = extractFeatures(path);
        assert.equal(features.length, FEATURE_COUNT);
        assert.ok(
          features.every((value) => Number.isFinite(value)),
          String(features),
        );
      },
    ),
    { numRuns: 3000 },
  );
  assert.ok(judged > 500, `only ${judged} of the paths could be judged`);
});

test("every feature has one name", () => {
  assert.equal(new Set(FEATURE_NAMES).size, FEATURE_COUNT);
});

test("where on the page and when the path was drawn makes no difference", () => {
  assert.deepEqual(featuresOf(moved(HAND, 86_400_000, 1000, -400)), featuresOf(HAND));
});

test("what lies before the last movement makes no difference", () => {
  const earlier = moved(handPath(COURSE, 8).slice(0, -2), 0, 60, 20);
  const later = moved(HAND, (earlier.at(-1)?.[0] ?? 0) + 900, 0, 0);
  assert.deepEqual(featuresOf([...earlier, ...later]), featuresOf(HAND));
});

test("a quarter turn of the path makes no difference: rows and columns of pixels count alike", () => {
  const turned = HAND.map(([ms, x, y, kind]): Segment[number] => [ms, -y, x, kind]);
  const before = featuresOf(HAND);
  featuresOf(turned).forEach((value, i) => {
    assert.ok(Math.abs(value - (before[i] ?? 0)) < 1e-6, `${FEATURE_NAMES[i]}`);
  });
});

test("a straight, steady path has the features of one", () => {
  const features = featuresOf(steppedPath({ from: [0, 0], to: [500, 0] }));
  const of = (name: (typeof FEATURE_NAMES)[number]): number => features[FEATURE_NAMES.indexOf(name)] ?? Number.NaN;
  assert.ok(Math.abs(of("straightness") - 1) < 1e-12);
  assert.ok(Math.abs(of("length") - Math.log1p(480)) < 1e-12);
  assert.ok(Math.abs(of("duration") - Math.log1p(384)) < 1e-12);
  for (const name of ["turn_total", "deviation_max", "overshoot", "noise_across", "overshoot"] as const) {
    assert.ok(Math.abs(of(name)) < 1e-9, `${name} ${of(name)}`);
  }
  assert.equal(of("axis_steps"), 1);
  assert.ok(of("speed_spread") < 1e-9);
});
