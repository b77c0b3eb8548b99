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
import { raises } from "@stile/testkit/visits/raises";
import { scriptedPen } from "./scripted-pen.ts";

type Press = {
  readonly pressure?: number;
  readonly holdMs?: number;
  readonly offset?: readonly [number, number];
};

/**
 * A move to a place and a press there, as Chromium's debugging protocol generates them for type
 * "pen".
 */
const press = (
  { pressure = 0, holdMs = 3.8, offset = [0, 0] }: Press = {},
  type = 2,
): readonly PointerSample[] => [
  [1072.6, 89.594, 105.5, 0, type, 0, 1, -8, 87, 1],
  [1085.3, 89.594, 105.5, 1, type, pressure, 1, ...offset],
  [1085.3 + holdMs, 89.594, 105.5, 2, type, 0, 1],
  [1085.3 + holdMs, 89, 105, 4, type, 0, 1, ...offset],
];

const HAND = { pressure: 0.21, holdMs: 74, offset: [11.3, -4.6] } as const;

test("scripted_pen: raised by a driver's clicks of type pen, also with a synthetic pressure or hold", () => {
  for (const visitor of [
    CHROME_VISITOR,
    findVisitor("Chromium of Debian"),
    findVisitor("Edge on Windows"),
  ]) {
    for (const made of [{}, { pressure: 0.3 }, { holdMs: 60 }, { offset: [9.2, 4.1] }] as const) {
      const visit = withPointer(visitor, press(made));
      assert.ok(raises(scriptedPen, visit), JSON.stringify(made));
      const { score } = assessVisit(visit);
      assert.ok(score >= 0.3 && score < 0.6, `${score}: asks, and never blocks alone`);
    }
  }
});

test("scripted_pen: raised by pens that hit the exact middle twice, however long they are held", () => {
  const centred = press({ ...HAND, offset: [0, 0] });
  const later = centred.map(([t, ...rest]): PointerSample => [t + 700, ...rest]);
  assert.ok(raises(scriptedPen, withPointer(CHROME_VISITOR, [...centred, ...later])));
  const byHand = press(HAND).map(([t, ...rest]): PointerSample => [t + 700, ...rest]);
  assert.ok(!raises(scriptedPen, withPointer(CHROME_VISITOR, [...centred, ...byHand])));
});

test("scripted_pen: silent on hands that show any single sign, with touch and without", () => {
  for (const made of [
    HAND,
    { ...HAND, pressure: 0 },
    { ...HAND, holdMs: 9 },
    { ...HAND, offset: [0.2, -0.4] },
  ] as const) {
    for (const touchPoints of [0, 10]) {
      const visit = withPointer(withEnvironment(CHROME_VISITOR, { touchPoints }), press(made));
      assert.ok(!raises(scriptedPen, visit), JSON.stringify(made));
    }
  }
});

test("scripted_pen: silent if a pen hovers, on fingers and mice, on phones, and if nothing is known", () => {
  assert.ok(!raises(scriptedPen, withPointer(CHROME_VISITOR, press().slice(0, 1))), "hovering");
  for (const type of [0, 1, 3])
    assert.ok(!raises(scriptedPen, withPointer(CHROME_VISITOR, press({}, type))), `${type}`);
  assert.ok(!raises(scriptedPen, withPointer(findVisitor("Chrome on Android"), press())), "phone");
  const untrusted = press().map(
    ([t, x, y, kind, type, pressure]): PointerSample => [t, x, y, kind, type, pressure, 0],
  );
  assert.ok(!raises(scriptedPen, withPointer(CHROME_VISITOR, untrusted)), "untrusted");
  assert.ok(
    !raises(scriptedPen, { ...withPointer(CHROME_VISITOR, press()), environment: "withheld" }),
  );
  assert.ok(!raises(scriptedPen, { ...CHROME_VISITOR, behaviour: "withheld" }));
});
