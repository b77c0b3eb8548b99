import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import { extractFeatures } from "./features.ts";
import { fillHoles } from "./fill-holes.ts";
import { createPathScorer } from "./path-scorer.ts";
import { preparePath, type Samples } from "./segment.ts";
import { SHIPPED_MODEL } from "./shipped-model.ts";

/** A hand's path of 800 ms at 60 Hz, along a bend, that speeds up and slows down. */
function bend(): Samples {
  const at = Array.from({ length: 49 }, (_, i) => i / 48);
  const along = at.map((s) => s * s * s * (10 - 15 * s + 6 * s * s));
  return {
    t: at.map((_, i) => Math.round((i * 50) / 3)),
    x: along.map((s) => Math.round(600 * s)),
    y: along.map((s) => Math.round(90 * Math.sin(Math.PI * s))),
  };
}

const without = ({ t, x, y }: Samples, isLost: (i: number) => boolean): Samples => {
  const keep = (values: readonly number[]): number[] => values.filter((_, i) => !isLost(i));
  return { t: keep(t), x: keep(x), y: keep(y) };
};

test("does not change a path without holes", () => {
  const path = bend();
  assert.equal(fillHoles(path), path);
});

test("fills a hole in the middle of a movement to within a few px, at the normal distance", () => {
  const whole = bend();
  const filled = fillHoles(without(whole, (i) => i > 20 && i < 27));
  assert.equal(filled.t.length, whole.t.length);
  filled.t.forEach((ms, i) => {
    assert.ok(Math.abs(ms - (whole.t[i] ?? 0)) <= 1, `${ms} ms`);
    const off = Math.hypot(
      (filled.x[i] ?? 0) - (whole.x[i] ?? 0),
      (filled.y[i] ?? 0) - (whole.y[i] ?? 0),
    );
    assert.ok(off < 4, `${off} px at ${ms} ms`);
  });
});

test("fills holes at both ends of a movement too", () => {
  const filled = fillHoles(without(bend(), (i) => (i > 0 && i < 14) || (i > 34 && i < 48)));
  const gaps = filled.t.slice(1).map((ms, i) => ms - (filled.t[i] ?? 0));
  assert.ok(Math.max(...gaps) <= 20, String(gaps));
});

test("keeps a rest, in which no moves came because nothing moved", () => {
  const { t, x, y } = bend();
  const rested: Samples = { t: t.map((ms, i) => (i > 30 ? ms + 120 : ms)), x, y };
  const still: Samples = {
    ...rested,
    x: x.map((px, i) => (i > 30 ? px - (x[31] ?? 0) + (x[30] ?? 0) : px)),
  };
  assert.equal(fillHoles(still).t.length, t.length);
});

test("takes an ordinary gap at a slow rate for no hole", () => {
  const every50: Samples = without(bend(), (i) => i % 3 !== 0);
  assert.equal(fillHoles(every50), every50);
});

test("inserts no more samples than the longest path has, whatever times a client claims", () => {
  const moves = Array.from({ length: 200 }, (_, i) => i);
  const t = moves.map((i) => 13 * i + (i >= 190 ? 700 * (i - 189) : 0));
  const filled = fillHoles({ t, x: moves.map((i) => 9 * i), y: moves });
  assert.equal(filled.t.length, 250);
  const backwards = fillHoles({
    t: moves.map((i) => (i % 2) * 1e9),
    x: moves.map((i) => 9 * i),
    y: moves,
  });
  assert.ok(backwards.t.length <= 250);
});

test("keeps as many samples as there were: a mouse's whole history is not cut", () => {
  const moves = Array.from({ length: 400 }, (_, i) => i);
  const t = moves.map((i) => 12 * i + (i > 200 ? 300 : 0));
  assert.equal(fillHoles({ t, x: moves.map((i) => 5 * i), y: moves }).t.length, 400);
});

test("scores a hand about as before if the browser drops 80 ms of the movement", () => {
  const score = createPathScorer(SHIPPED_MODEL);
  const rises: number[] = [];
  for (let seed = 0; seed < 60; seed++) {
    const path =
      preparePath(handPath({ from: [120, 640], to: [470, 362] }, seed)) ?? assert.fail("no path");
    const whole = score(extractFeatures(path));
    for (const from of [6, 12, 18]) {
      const holed = without(path, (i) => i > from && i < from + 6 && i < path.t.length - 2);
      rises.push(score(extractFeatures(holed)) - whole);
    }
  }
  const rise = rises.reduce((sum, value) => sum + value, 0) / rises.length;
  assert.ok(rise < 0.5, `log-odds rise by ${rise}`);
});
