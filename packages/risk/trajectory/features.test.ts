import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath, variedPath } from "@stile/testkit/visits/pointer-paths";
import fc from "fast-check";
import { extractFeatures, FEATURE_COUNT, FEATURE_NAMES } from "./features.ts";
import { frameFeatures } from "./frame-features.ts";
import { preparePath, type Segment } from "./segment.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const HAND = handPath(COURSE, 7);

const featuresOf = (segment: Segment): Float64Array =>
  extractFeatures(preparePath(segment) ?? assert.fail("nothing to score"));

const moved = (segment: Segment, ms: number, dx: number, dy: number): Segment =>
  segment.map(([at, x, y, kind]) => [at + ms, x + dx, y + dy, kind]);

test("gives any path as many finite features as there are names", () => {
  const place = fc.oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  );
  const time = fc.oneof(
    fc.integer({ min: 0, max: 400 }),
    fc.double({ min: 0, max: 1e9, noNaN: true }),
  );
  let scored = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(time, place, place), { minLength: 5, maxLength: 60 }),
      fc.boolean(),
      (samples, isSorted) => {
        const ordered = isSorted ? samples.toSorted((a, b) => a[0] - b[0]) : samples;
        const moves = ordered.map(([ms, x, y]): Segment[number] => [ms, x, y, "m"]);
        const path = preparePath([...moves, [moves.at(-1)?.[0] ?? 0, 0, 0, "d"]]);
        if (path === undefined) return;
        scored++;
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
  assert.ok(scored > 500, `only ${scored} of the paths could be scored`);
});

test("puts a path that claims to continue long after its press on no more frames than the longest path", () => {
  const moves = Array.from({ length: 2000 }, (_, i): Segment[number] => [
    700 * i,
    400 * Math.sin(i / 97),
    i,
    "m",
  ]);
  const path = preparePath([...moves, [0, 0, 0, "d"]]) ?? assert.fail("no path");
  assert.ok((path.t.at(-1) ?? 0) > 1e6, "23 minutes");
  const longest = { ...path, t: path.t.map((ms) => (3000 * ms) / (path.t.at(-1) ?? 1)) };
  const expected = frameFeatures(longest);
  frameFeatures(path).forEach(
    (value, i) => void assert.ok(Math.abs(value - (expected[i] ?? 0)) < 1e-6, `${i}`),
  );
});

test("names each feature once", () => {
  assert.equal(new Set(FEATURE_NAMES).size, FEATURE_COUNT);
});

test("gives the same features wherever on the page and whenever the path was drawn", () => {
  assert.deepEqual(featuresOf(moved(HAND, 86_400_000, 1000, -400)), featuresOf(HAND));
});

test("gives the same features whatever happened before the last movement", () => {
  const earlier = moved(handPath(COURSE, 8).slice(0, -2), 0, 60, 20);
  const later = moved(HAND, (earlier.at(-1)?.[0] ?? 0) + 900, 0, 0);
  assert.deepEqual(featuresOf([...earlier, ...later]), featuresOf(HAND));
});

test("gives the same features after a quarter turn: rows and columns of pixels count alike", () => {
  const turned = HAND.map(([ms, x, y, kind]): Segment[number] => [ms, -y, x, kind]);
  const before = featuresOf(HAND);
  featuresOf(turned).forEach((value, i) => {
    assert.ok(Math.abs(value - (before[i] ?? 0)) < 1e-6, `${FEATURE_NAMES[i]}`);
  });
});

const of = (features: Float64Array, name: (typeof FEATURE_NAMES)[number]): number => {
  return features[FEATURE_NAMES.indexOf(name)] ?? assert.fail(name);
};

test("gives a straight, steady path its known features", () => {
  const features = featuresOf(steppedPath({ from: [0, 0], to: [500, 0] }));
  assert.ok(Math.abs(of(features, "duration") - Math.log1p(384)) < 1e-12);
  for (const name of [
    "turn_total",
    "turn_max",
    "deviation_max",
    "speed_roughness",
    "gap_count",
    "backward_steps",
  ] as const)
    assert.ok(Math.abs(of(features, name)) < 1e-9, `${name} ${of(features, name)}`);
  assert.equal(of(features, "axis_steps"), 1);
  assert.ok(of(features, "speed_spread") < 1e-9);
  assert.ok(Math.abs(of(features, "last_third_straightness") - 1) < 1e-12);
  assert.ok(
    Math.abs(of(features, "bend_error") - Math.log(0.05)) < 1e-6,
    "no frame is off a smooth bend",
  );
  assert.ok(
    Math.abs(of(features, "wave_across_9_px") - Math.log(0.05)) < 1e-6,
    "nothing swings across",
  );
});

/** A line of 60 samples, 16 ms apart, with something added to each place and time. */
const line = (add: (i: number) => readonly [ms: number, dx: number, dy: number]): Float64Array => {
  const moves = Array.from({ length: 60 }, (_, i): Segment[number] => {
    const [ms, dx, dy] = add(i);
    return [16 * i + ms, 8 * i + dx, dy, "m"];
  });
  return featuresOf([...moves, [1200, 480, 0, "d"]]);
};
const STRAIGHT = line(() => [0, 0, 0]);

test("finds a quick swing across in the quick band and in the residuals, and a slow one in the slow band", () => {
  const quick = line((i) => [0, 0, 2 * Math.sin((Math.PI * 22 * i) / 59)]);
  const slow = line((i) => [0, 0, 20 * Math.sin((Math.PI * 3 * i) / 59)]);
  const rise = (features: Float64Array, name: (typeof FEATURE_NAMES)[number]) =>
    of(features, name) - of(STRAIGHT, name);
  assert.ok(
    rise(quick, "wave_across_17_px") > 2 &&
      rise(quick, "wave_across_3") < rise(slow, "wave_across_3") - 2,
  );
  assert.ok(rise(quick, "bend_error") > rise(slow, "bend_error") + 1);
  assert.ok(
    of(quick, "residual_4_2") < of(slow, "residual_4_2"),
    "a slow bend grows with the distance of the neighbours",
  );
});

test("takes a pause of the moves for a rest only if the pointer rested", () => {
  const moving = line((i) => (i >= 30 ? [80, 40, 0] : [0, 0, 0]));
  const resting = line((i) => (i >= 30 ? [80, 0, 0] : [0, 0, 0]));
  assert.equal(of(resting, "gap_count"), Math.log1p(1));
  assert.ok(of(resting, "gap_speed") < -1 && of(resting, "gap_time") > 0.08);
  assert.ok(of(moving, "gap_count") === 0 && of(moving, "gap_time") === 0);
});

test("counts a short gap in which the pointer moves on: frames are lost, but too few to be a hole", () => {
  const moving = line((i) => (i >= 30 ? [16, 8, 0] : [0, 0, 0]));
  assert.ok(of(moving, "gap_count") === Math.log1p(1) && Math.abs(of(moving, "gap_speed")) < 0.1);
});

test("counts going back and forth along the line in frames", () => {
  const back = line((i) => [0, i > 40 && i < 46 ? -30 * (i - 40) : 0, 0]);
  assert.ok(of(back, "flips_along") >= Math.log1p(2) && of(STRAIGHT, "flips_along") === 0);
  assert.ok(of(back, "backward_steps") > 0);
});

test("a movement that creeps to its target settles late", () => {
  const creeping = line((i) => [0, i > 30 ? -8 * (i - 30) + 0.1 * (i - 30) : 0, 0]);
  assert.ok(of(creeping, "settling") > of(STRAIGHT, "settling") + 0.3);
  assert.ok(of(creeping, "end_speed") < of(STRAIGHT, "end_speed"));
  assert.ok(of(creeping, "first_fifth_at") < of(STRAIGHT, "first_fifth_at"));
});

/** The shipped model was trained on these: after changing them, train it again. */
const PINNED: readonly (readonly [segment: Segment, features: readonly number[]])[] = [
  [
    variedPath(COURSE, 11),
    [
      6.936343, 0.793402, 0.283074, 0.936892, 1.536203, -0.089666, 0.039301, -3.598996, -1.29666,
      1.827318, 0.846192, 0.452475, 0.305556, 0.107977, 2.567131, 0.387097, 1.655874, 0.22449, 0,
      0.122686, 0.996922, -1.930107, -2.039364, 4.072596, -2.97098, -5.240246, -6.053659, 0.044571,
      -2.393825, -5.712822, 0.386642, -0.228786, 0.789568, 1.027268, 1.230793, -1.168587, -0.445464,
      1.386294, 0.108949, 0.764073, 0.386575, -0.423908, -0.944663, -2.308736, 0.047619, 0,
      0.387097, 0.096774, 1.735737, 0.225806, 0.532258,
    ],
  ],
  [
    variedPath(COURSE, 13),
    [
      6.486161, 0.821803, 0.29771, 0.892564, 1.643934, -0.329449, 0.738487, -3.379205, -1.610167,
      1.718321, 0.959464, 0.463648, 0.153846, 0.261412, 1.597464, 0.225806, 0.804075, 0.088235, 0,
      0.410376, 0.991517, -1.673915, -2.498787, 3.618651, -4.102037, -5.183602, -5.927358, 0.17138,
      -3.066618, -5.718088, 0.38136, -0.30133, 0.78431, 0.972061, 1.134834, -1.121617, 0, 0, 0,
      0.764117, 0.450589, 0.241931, -0.849926, -2.242923, 0.090909, 0, 0.307692, 0.128205, 1.373468,
      0.153846, 0.461538,
    ],
  ],
];

test("keeps the features of a path as the model was trained on them, to the sixth digit", () => {
  for (const [segment, features] of PINNED) {
    assert.deepEqual(
      [...featuresOf(segment)].map((value) => Number(value.toFixed(6))),
      features,
    );
  }
});

test("does not depend on the paths before, neither longer nor shorter ones", () => {
  const long = Array.from(
    { length: 900 },
    (_, i) => [3 * i, 400 * Math.sin(i / 97), 7 * Math.cos(i / 3)] as const,
  );
  const paths = [
    ...[7, 8, 9].map((seed) => preparePath(handPath(COURSE, seed)) ?? assert.fail("no path")),
    preparePath(steppedPath({ from: [0, 0], to: [40, 9] }, 6)) ?? assert.fail("no path"),
    { t: long.map(([ms]) => ms), x: long.map(([, x]) => x), y: long.map(([, , y]) => y) },
  ];
  const alone = paths.map((path) => extractFeatures(path));
  for (const before of paths) {
    paths.forEach((path, at) => {
      extractFeatures(before);
      assert.deepEqual(extractFeatures(path), alone[at]);
    });
  }
});
