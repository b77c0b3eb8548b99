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
import { gradeIn, raises } from "@stile/testkit/visits/raises";
import { scriptedTouch } from "./scripted-touch.ts";

type Tap = { readonly holdMs?: number; readonly offset?: readonly [number, number] };

const tap = (
  ms: number,
  { holdMs = 74, offset = [11.3, -4.6] }: Tap = {},
): readonly PointerSample[] => [
  [ms, 340, 356, 1, 1, 1, 1, ...offset],
  [ms + holdMs, 340, 356, 2, 1, 0, 1],
  [ms + holdMs + 0.4, 340, 356, 4, 1, 0, 1, ...offset],
];
const touching = (visitor: typeof CHROME_VISITOR, touchPoints = 10) =>
  withEnvironment(visitor, { touchPoints });
const WINDOWS = touching(CHROME_VISITOR);
const LINUX = touching(findVisitor("Chromium of Debian"));

test("scripted_touch: raised by emulated touch in a browser of a computer; two signs ask and never block", () => {
  const visits = [
    withPointer(touching(CHROME_VISITOR, 1), tap(900, { holdMs: 3 })),
    withPointer(touching(LINUX, 1), tap(900)),
    withPointer(LINUX, tap(900, { offset: [0, 0] })),
    withPointer(WINDOWS, [...tap(900, { offset: [0, 0] }), ...tap(1900, { offset: [0.3, 0] })]),
  ];
  for (const visit of visits) {
    const { score, flags } = assessVisit(visit);
    assert.ok(flags.includes("scripted_touch"), JSON.stringify(visit.behaviour.pointer));
    assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
  }
});

test("scripted_touch: one sign adds half of the weight and asks nobody", () => {
  for (const visit of [
    withPointer(touching(CHROME_VISITOR, 1), tap(900)),
    withPointer(LINUX, tap(900)),
    withPointer(WINDOWS, tap(900, { holdMs: 9 })),
    withPointer(WINDOWS, tap(900, { offset: [0.2, -0.4] })),
  ]) {
    assert.equal(gradeIn(scriptedTouch, visit), 0.5);
    assert.ok(assessVisit(visit).score < 0.3);
  }
});

test("scripted_touch: silent on touchscreens of computers, on phones and tablets, on mice, and without touch", () => {
  assert.ok(!raises(scriptedTouch, withPointer(WINDOWS, [...tap(900), ...tap(1900)])));
  const centred = [...tap(900, { offset: [0, 0] }), ...tap(1900, { offset: [0, 0] })];
  for (const name of ["Chrome on Android", "iPad, which claims a Mac", "Samsung Internet"])
    assert.ok(!raises(scriptedTouch, withPointer(findVisitor(name), centred)), name);
  const tablet = findVisitor("Android tablet in desktop-site mode");
  assert.ok(!raises(scriptedTouch, withPointer(tablet, centred)));
  assert.ok(!raises(scriptedTouch, LINUX), "a mouse");
  assert.ok(!raises(scriptedTouch, withPointer(CHROME_VISITOR, centred)), "no touch: as a mouse");
  assert.ok(!raises(scriptedTouch, { ...withPointer(LINUX, centred), environment: "withheld" }));
});
