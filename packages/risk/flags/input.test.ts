import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  withBehaviour,
  withPointer,
} from "@stile/testkit/visits/find-visitor";
import { raises } from "@stile/testkit/visits/raises";
import { pointerPressureInvalid } from "./pointer-pressure-invalid.ts";
import { syntheticClick } from "./synthetic-click.ts";

/** The widget's box is 300 x 65, at 320, 330. */
const DISPATCHED: readonly PointerSample[] = [
  [899, 340, 355, 0, 0, 0, 0],
  [900, 340, 355, 1, 0, 0.5, 0],
  [901, 340, 355, 2, 0, 0, 0],
  [902, 340, 355, 4, 0, 0, 0],
];
/** `element.click()` has no position. */
const CLICK_CALL: PointerSample = [900, 0, 0, 4, 3, 0, 0];
const ASKED = {
  ...CHROME_VISITOR,
  solve: { ...CHROME_VISITOR.solve!, interaction: "click" as const },
};

test("synthetic_click: raised by element.click() if a click was asked for, and by events dispatched on the widget", () => {
  assert.ok(raises(syntheticClick, withPointer(ASKED, [CLICK_CALL])));
  assert.ok(raises(syntheticClick, withPointer(ASKED, DISPATCHED)));
  assert.ok(raises(syntheticClick, withPointer(CHROME_VISITOR, DISPATCHED)));
});

test("synthetic_click: silent on trusted clicks of unknown type and without pointer events (assistive technology)", () => {
  for (const visitor of [CHROME_VISITOR, ASKED]) {
    assert.ok(!raises(syntheticClick, withPointer(visitor, [[900, 0, 0, 4, 3, 0, 1]])));
    for (const name of ["Chrome on Windows with NVDA", "Firefox on Linux, keyboard only"]) {
      assert.ok(!raises(syntheticClick, { ...findVisitor(name), solve: visitor.solve }), name);
    }
  }
});

test("synthetic_click: silent on clicks that pages and extensions make elsewhere, and next to a trusted press", () => {
  assert.ok(
    !raises(syntheticClick, withPointer(CHROME_VISITOR, [CLICK_CALL])),
    "a cookie banner, and nothing was asked for",
  );
  assert.ok(
    !raises(syntheticClick, withPointer(CHROME_VISITOR, [[900, 20, 700, 4, 0, 0, 0]])),
    "beside the widget",
  );
  assert.ok(
    !raises(syntheticClick, withPointer(ASKED, [...CHROME_VISITOR.behaviour.pointer, CLICK_CALL])),
    "trusted press",
  );
});

test("synthetic_click: silent without a click and on untrusted moves", () => {
  assert.ok(!raises(syntheticClick, withPointer(ASKED, [])));
  assert.ok(!raises(syntheticClick, withPointer(ASKED, [[900, 340, 355, 0, 0, 0, 0]])));
  assert.ok(
    !raises(syntheticClick, withBehaviour(withPointer(CHROME_VISITOR, DISPATCHED), { box: null })),
    "no widget",
  );
  assert.ok(!raises(syntheticClick, { ...ASKED, behaviour: "withheld" }));
});

/**
 * The sequence of Puppeteer and chromedriver: the pointer jumps to the place and presses without
 * pressure.
 */
const DRIVEN: readonly PointerSample[] = [
  [1836.9, 338, 355, 0, 0, 0, 1],
  [1842.6, 338, 355, 1, 0, 0, 1],
  [1843.1, 338, 355, 2, 0, 0, 1],
  [1843.3, 338, 355, 4, 0, 0, 1],
];

test("pointer_pressure_invalid: raised by a mouse that arrives and presses with pressure 0 in desktop Chromium", () => {
  assert.ok(raises(pointerPressureInvalid, withPointer(CHROME_VISITOR, DRIVEN)));
  assert.ok(raises(pointerPressureInvalid, withPointer(findVisitor("Chromium of Debian"), DRIVEN)));
});

test("pointer_pressure_invalid: silent on screen readers, which press with pressure 0 without moving there", () => {
  assert.ok(!raises(pointerPressureInvalid, findVisitor("Chrome on Windows with NVDA")));
  assert.ok(!raises(pointerPressureInvalid, findVisitor("Chrome on Android with TalkBack")));
  const movedBefore: readonly PointerSample[] = [[500, 40, 30, 0, 0, 0, 1], ...DRIVEN.slice(1)];
  assert.ok(
    !raises(pointerPressureInvalid, withPointer(CHROME_VISITOR, movedBefore)),
    "the mouse lay elsewhere",
  );
});

test("pointer_pressure_invalid: silent on Safari, Firefox, touch, pen and real mice", () => {
  const names = [
    "Safari on a Mac, whose mouse reports no pressure",
    "Firefox on Linux, keyboard only",
    "iPhone",
  ];
  for (const name of names)
    assert.ok(!raises(pointerPressureInvalid, withPointer(findVisitor(name), DRIVEN)), name);
  for (const type of [1, 2, 3]) {
    const path = DRIVEN.map(
      ([t, x, y, kind, , pressure, trusted]) => [t, x, y, kind, type, pressure, trusted] as const,
    );
    assert.ok(!raises(pointerPressureInvalid, withPointer(CHROME_VISITOR, path)), `type ${type}`);
  }
  assert.ok(!raises(pointerPressureInvalid, CHROME_VISITOR));
  assert.ok(
    !raises(pointerPressureInvalid, {
      ...withPointer(CHROME_VISITOR, DRIVEN),
      environment: "withheld",
    }),
  );
});
