import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  withEnvironment,
  withPointer,
  withUserAgent,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { handMoves } from "@stile/testkit/visits/pointer-paths";
import { gradeIn, raises } from "@stile/testkit/visits/raises";
import { barePress } from "./bare-press.ts";

const LINUX = findVisitor("Chromium of Debian");
const MAC = findVisitor("Brave on a Mac");

type Press = {
  readonly x?: number;
  readonly pressure?: number;
  readonly offset?: readonly [number, number];
  readonly type?: number;
};

/** A press and release by a message of the debugging protocol, without any move. */
function press(
  ms: number,
  { x = 340, pressure = 0, offset = [11, 4], type = 0 }: Press = {},
): readonly PointerSample[] {
  return [
    [ms, x, 356, 1, type, pressure, 1, ...offset],
    [ms + 4, x, 356, 2, type, 0, 1],
    [ms + 4.4, x, 356, 4, type, 0, 1],
  ];
}

const CENTRED = { offset: [0, 0] } as const;
const MOVED = handMoves(900);

test("bare_press: raised by nodriver's clicks, which press the exact middle of fields without a move", () => {
  const clicks = [200, 340, 520].flatMap((x, at) => press(900 + 800 * at, { x, ...CENTRED }));
  for (const visitor of [LINUX, CHROME_VISITOR, MAC]) {
    const { score, flags } = assessVisit(withPointer(visitor, clicks));
    assert.ok(flags.includes("bare_press"));
    assert.ok(score >= 0.3 && score < 0.6, `${score}: asks, and never blocks alone`);
    assert.equal(gradeIn(barePress, withPointer(visitor, press(900, CENTRED))), 1);
  }
});

test("bare_press: raised by presses with the pressure of a mouse that was somewhere else", () => {
  const elsewhere = [...MOVED, ...press(1400, { x: 700, pressure: 0.5 })];
  assert.equal(gradeIn(barePress, withPointer(CHROME_VISITOR, elsewhere)), 0.6);
  assert.ok(assessVisit(withPointer(CHROME_VISITOR, elsewhere)).score < 0.3, "one asks nobody");
  const twice = [...elsewhere, ...press(2400, { x: 200, pressure: 0.5 })];
  assert.equal(gradeIn(barePress, withPointer(CHROME_VISITOR, twice)), 1);
});

test("bare_press: raised on Linux by presses without pressure, and by fingers on a device without touch", () => {
  const two = (more: Press) => [...press(900, more), ...press(1900, { ...more, x: 600 })];
  assert.equal(gradeIn(barePress, withPointer(LINUX, two({}))), 1);
  const taps = two({ type: 1, pressure: 1 });
  assert.ok(raises(barePress, withPointer(LINUX, taps)));
  assert.ok(!raises(barePress, withPointer(withEnvironment(LINUX, { touchPoints: 10 }), taps)));
});

test("bare_press: silent on two presses as screen readers and voice control make them, raised by three", () => {
  const presses = (count: number) =>
    Array.from({ length: count }, (_, at) => press(900 + 900 * at, { x: 200 + 90 * at })).flat();
  for (const visitor of [CHROME_VISITOR, MAC]) {
    assert.ok(!raises(barePress, withPointer(visitor, presses(1))));
    assert.ok(!raises(barePress, withPointer(visitor, presses(2))));
    assert.equal(gradeIn(barePress, withPointer(visitor, presses(3))), 1);
  }
});

test("bare_press: silent on a mouse that rested where the page came up, and on presses in one place", () => {
  const rested = { pressure: 0.5 };
  for (const visitor of [LINUX, CHROME_VISITOR])
    assert.ok(
      !raises(barePress, withPointer(visitor, [...press(900, rested), ...press(1300, rested)])),
    );
});

test("bare_press: silent on an early press whose moves the page has forgotten", () => {
  const moves = Array.from({ length: 120 }, (_, at) => handMoves(3000 + 200 * at)).flat();
  const early = [...press(900, CENTRED), ...press(1200, { x: 600, ...CENTRED })];
  assert.ok(raises(barePress, withPointer(LINUX, [...early, ...moves.slice(0, 90)])));
  assert.ok(!raises(barePress, withPointer(LINUX, [...early, ...moves])));
});

test("bare_press: silent on fingers that Firefox on a phone calls a mouse, on untrusted presses and on unknown types", () => {
  const taps = [200, 400, 600].flatMap((x, at) => press(900 + 900 * at, { x, pressure: 0.8 }));
  const phone = findVisitor(
    "Firefox on Android that resists fingerprinting: it hides touch, and calls fingers a mouse",
  );
  assert.ok(!raises(barePress, withPointer(phone, taps)));
  assert.ok(raises(barePress, withPointer(withUserAgent(phone, LINUX.userAgent), taps)));
  const untrusted = taps.map(
    ([t, x, y, kind, type, pressure]): PointerSample => [t, x, y, kind, type, pressure, 0],
  );
  assert.ok(!raises(barePress, withPointer(LINUX, untrusted)));
  const unknown = taps.map(
    ([t, x, y, kind, , ...rest]): PointerSample => [t, x, y, kind, 3, ...rest],
  );
  assert.ok(!raises(barePress, withPointer(LINUX, unknown)));
  assert.ok(!raises(barePress, { ...withPointer(LINUX, taps), environment: "withheld" }));
});
