import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  withEnvironment,
  withPointer,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { handPath, steppedPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { raises } from "@stile/testkit/visits/raises";
import { FITTED_FLAGS } from "../weight-bounds.ts";
import { eventTimePhase } from "./event-time-phase.ts";
import { fractionalPointer } from "./fractional-pointer.ts";
import { movementMismatch } from "./movement-mismatch.ts";

const WINDOWS = withEnvironment(CHROME_VISITOR, { pixelRatio: 1 });
const LINUX = withEnvironment(findVisitor("Chromium of Debian"), { pixelRatio: 1 });

/**
 * A straight line in steps, as `mouse.move(x, y, { steps })` draws it, with the times of the
 * driver's calls.
 */
const line = (steps: number, stepMs = 16.37): readonly PointerSample[] =>
  Array.from({ length: steps + 1 }, (_, i) => {
    const [x, y] = [83 + (i * 491) / steps, 503 - (i * 210) / steps];
    return [
      Number((500 + i * stepMs).toFixed(3)),
      Number(x.toFixed(3)),
      Number(y.toFixed(3)),
      0,
      0,
      0,
      1,
      12,
      -5,
      1,
    ];
  });
const rounded = line(40).map(
  ([t, x, y, ...rest]) => [t, Math.round(x), Math.round(y), ...rest] as const,
);
const onGrid = (grid: number): readonly PointerSample[] =>
  line(40).map(
    ([t, x, y, ...rest]) =>
      [
        t,
        Number((Math.round(x * grid) / grid).toFixed(3)),
        Number((Math.round(y * grid) / grid).toFixed(3)),
        ...rest,
      ] as const,
  );

test("fractional_pointer: raised by a path that a driver computed", () => {
  for (const visitor of [WINDOWS, LINUX])
    assert.ok(raises(fractionalPointer, withPointer(visitor, line(40))));
});

test("fractional_pointer: silent on whole pixels, on the grids of Wayland and layout, and on a single odd number", () => {
  for (const path of [rounded, onGrid(256), onGrid(64), onGrid(2)]) {
    assert.ok(!raises(fractionalPointer, withPointer(LINUX, path)), JSON.stringify(path[7]));
  }
  assert.ok(
    !raises(fractionalPointer, withPointer(LINUX, [...rounded.slice(2), ...line(40).slice(1, 3)])),
  );
});

test("fractional_pointer: silent on zoom, pinch, scaled frames, other systems, other engines, touch and pen", () => {
  for (const change of [
    { pixelRatio: 1.25 },
    { pageScale: 1.5 },
    { pageScale: null },
    { isFramed: true },
  ]) {
    assert.ok(
      !raises(fractionalPointer, withPointer(withEnvironment(WINDOWS, change), line(40))),
      JSON.stringify(change),
    );
  }
  const names = ["Brave on a Mac", "Firefox on Linux, keyboard only", "Chrome on Android"];
  for (const name of names) {
    assert.ok(
      !raises(
        fractionalPointer,
        withPointer(withEnvironment(findVisitor(name), { pixelRatio: 1 }), line(40)),
      ),
      name,
    );
  }
  for (const type of [1, 2]) {
    const path = line(40).map(
      ([t, x, y, kind, , ...rest]) => [t, x, y, kind, type, ...rest] as const,
    );
    assert.ok(
      !raises(fractionalPointer, withPointer(withEnvironment(WINDOWS, { touchPoints: 10 }), path)),
    );
  }
});

test("fractional_pointer: raised by a mouse despite a tap elsewhere, and by fingers on a device without touch", () => {
  const tap: PointerSample = [100, 5, 5, 1, 1, 0.5, 1, 0, 0];
  const withTouch = withEnvironment(WINDOWS, { touchPoints: 10 });
  assert.ok(raises(fractionalPointer, withPointer(withTouch, [tap, ...line(40)])));
  const fingers = line(40).map(
    ([t, x, y, kind, , ...rest]) => [t, x, y, kind, 1, ...rest] as const,
  );
  assert.ok(raises(fractionalPointer, withPointer(WINDOWS, fingers)));
});

test("movement_mismatch: raised by moves that report another movement", () => {
  const still = line(40).map(
    ([t, x, y, kind, type, p, trusted]) => [t, x, y, kind, type, p, trusted, 0, 0, 1] as const,
  );
  assert.ok(raises(movementMismatch, withPointer(WINDOWS, still)));
});

test("movement_mismatch: silent on true moves, a few odd ones, pauses, zoom and samples without movement", () => {
  assert.ok(!raises(movementMismatch, withPointer(WINDOWS, line(40))));
  const odd = line(40).map(
    ([t, x, y, ...rest], at) => [t, x + (at % 5 === 0 ? 40 : 0), y, ...rest] as const,
  );
  assert.ok(!raises(movementMismatch, withPointer(WINDOWS, odd)));
  assert.ok(
    !raises(movementMismatch, withPointer(WINDOWS, line(10, 900))),
    "frames of other pages lie between",
  );
  const still = line(40).map(
    ([t, x, y, kind, type, p, trusted]) => [t, x, y, kind, type, p, trusted, 0, 0, 1] as const,
  );
  assert.ok(
    !raises(movementMismatch, withPointer(withEnvironment(WINDOWS, { pixelRatio: 2 }), still)),
  );
  assert.ok(
    !raises(
      movementMismatch,
      withPointer(
        WINDOWS,
        still.map(([...all]) => all.slice(0, 7) as never),
      ),
    ),
  );
});

test("event_time_phase: raised by a person's path that a driver replays at its own times", () => {
  assert.ok(raises(eventTimePhase, withPointer(LINUX, rounded)));
});

/**
 * A program's path in whole pixels, pressed like a hand; each sample is `each` further into its
 * millisecond.
 */
const stepped = (each: number): readonly PointerSample[] =>
  toPointer([steppedPath({ from: [120, 640], to: [470, 365] })]).map(
    ([t, x, y, kind, ...rest], at) => {
      const ms = Math.floor(t) + (kind === 0 ? 0 : 80) + ((at * each) % 0.5);
      return [ms, x, Math.round(y), kind, ...rest] as const;
    },
  );

test("event_time_phase: counts only with a path that is clearly a program's, and does not block with it", () => {
  const [plain, timed] = [0, 0.17].map((each) => assessVisit(withPointer(LINUX, stepped(each))));
  assert.deepEqual(
    [plain?.flags, timed?.flags],
    [["trajectory_bot"], ["event_time_phase", "trajectory_bot"]],
  );
  assert.ok(
    timed !== undefined && plain !== undefined && timed.score > plain.score && timed.score < 0.6,
  );
});

test("event_time_phase: a shadow flag on people's paths, listed among the reasons with weight 0 but not among the flags", () => {
  const seen = findVisitor("Chromium of Debian").behaviour.pointer;
  const hand = toPointer([handPath({ from: [120, 640], to: [470, 362] }, 2)]);
  const atAnyTime = hand.map(([t, ...rest], at): PointerSample => [t + ((at * 0.37) % 1), ...rest]);
  const { score, flags, contributions } = assessVisit(withPointer(LINUX, atAnyTime));
  assert.deepEqual(contributions, [{ flag: "event_time_phase", weight: 0 }]);
  assert.deepEqual([flags, score], [[], assessVisit(withPointer(LINUX, seen)).score]);
});

test("event_time_phase: keeps its weight when an operator fits weights to their own visitors", () => {
  assert.ok(!FITTED_FLAGS.includes("event_time_phase"));
});

test("event_time_phase: silent on whole milliseconds of any phase, on few events, and on other systems", () => {
  const hand = rounded.map(([t, ...rest]) => [Math.floor(t) + 0.7, ...rest] as const);
  assert.ok(!raises(eventTimePhase, withPointer(LINUX, hand)));
  assert.ok(!raises(eventTimePhase, withPointer(LINUX, rounded.slice(0, 7))));
  for (const visitor of [
    WINDOWS,
    findVisitor("Brave on a Mac"),
    findVisitor("Chrome on Android"),
  ]) {
    assert.ok(!raises(eventTimePhase, withPointer(visitor, rounded)));
  }
});
