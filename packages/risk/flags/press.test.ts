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
import { raises } from "@stile/testkit/visits/raises";
import type { FlagRow } from "../flag-row.ts";
import { exactCentreClick } from "./exact-centre-click.ts";
import { movePressCoincident } from "./move-press-coincident.ts";
import { noApproach } from "./no-approach.ts";
import { pressDwellRegular } from "./press-dwell-regular.ts";
import { pressTooShort } from "./press-too-short.ts";
import { scriptedClick } from "./scripted-click.ts";

const LINUX = findVisitor("Chromium of Debian");
const click = (
  restMs: number,
  dwellMs: number,
  jumpPx: number,
  offPx = 6,
): readonly PointerSample[] => [
  [2000, 500, 400, 0, 0, 0, 1, jumpPx, 0, 1],
  [2000 + restMs, 500, 400, 1, 0, 0.5, 1, offPx, -offPx],
  [2000 + restMs + dwellMs, 500, 400, 2, 0, 0, 1],
  [2000 + restMs + dwellMs, 500, 400, 4, 0, 0, 1],
];
/** The samples that an agent working by screenshots and clicks sent through Playwright. */
const AGENT: readonly PointerSample[] = [
  [3354.8, 552, 373, 0, 0, 0, 1, 233, -149, 1],
  [3355.2, 552, 373, 1, 0, 0.5, 1, 0, 0],
  [3358.6, 552, 373, 2, 0, 0, 1],
  [3358.6, 552, 373, 4, 0, 0, 1],
];

test("press_too_short: raised by the press of a driver", () => {
  assert.ok(raises(pressTooShort, withPointer(LINUX, AGENT)));
  assert.ok(raises(pressTooShort, withPointer(LINUX, click(60, 11.9, 0))));
});

test("press_too_short: silent on hands, and if the release was not seen", () => {
  assert.ok(!raises(pressTooShort, withPointer(LINUX, click(60, 28, 0))));
  assert.ok(!raises(pressTooShort, withPointer(LINUX, click(60, 5, 0).slice(0, 2))));
});

test("no_approach: raised by a mouse that jumps to the press, by its movement or by its positions", () => {
  assert.ok(raises(noApproach, withPointer(LINUX, AGENT)));
  const elsewhere: PointerSample = [60, 10, 10, 0, 0, 0, 1, 0, 0, 1];
  assert.ok(raises(noApproach, withPointer(LINUX, [elsewhere, ...click(5, 50, 0)])));
});

test("no_approach: silent on a mouse that was already there, on paths, and on tiny moves", () => {
  assert.ok(!raises(noApproach, withPointer(LINUX, click(5, 50, 3))));
  assert.ok(!raises(noApproach, withPointer(LINUX, click(5, 50, 3).slice(1))), "no move at all");
  const near: PointerSample = [1984, 430, 400, 0, 0, 0, 1, 60, 0, 1];
  assert.ok(!raises(noApproach, withPointer(LINUX, [near, ...click(5, 50, 70)])), "a fast hand");
  const busy = click(5, 50, 260).map((sample, at) =>
    at === 0 ? ([...sample.slice(0, 9), 14] as never) : sample,
  );
  assert.ok(!raises(noApproach, withPointer(LINUX, busy)), "a page that was busy meanwhile");
});

test("move_press_coincident: raised by a press at the time of its move", () => {
  assert.ok(raises(movePressCoincident, withPointer(LINUX, AGENT)));
});

test("move_press_coincident: silent on hands that come to rest", () => {
  assert.ok(!raises(movePressCoincident, withPointer(LINUX, click(8, 60, 0))));
});

test("exact_centre_click: raised by a press in the exact middle", () => {
  assert.ok(raises(exactCentreClick, withPointer(LINUX, AGENT)));
  assert.ok(
    raises(exactCentreClick, withPointer(LINUX, click(60, 60, 0, 0.5))),
    "a button of odd size",
  );
});

test("exact_centre_click: silent next to the middle, and if the middle is not known", () => {
  assert.ok(!raises(exactCentreClick, withPointer(LINUX, click(60, 60, 0, 1))));
  const bare = AGENT.map((sample) => sample.slice(0, 7) as unknown as PointerSample);
  assert.ok(!raises(exactCentreClick, withPointer(LINUX, bare)));
});

test("scripted_click: raised on Linux by one command that jumps, presses and releases", () => {
  assert.ok(raises(scriptedClick, withPointer(LINUX, AGENT)));
});

test("scripted_click: raised on Linux by a jump into the exact middle, however long the press", () => {
  assert.ok(raises(scriptedClick, withPointer(LINUX, click(40, 90, 240, 0.125))));
  assert.ok(
    !raises(scriptedClick, withPointer(LINUX, click(40, 90, 240, 3))),
    "a hand on a remote screen",
  );
  assert.ok(
    !raises(scriptedClick, withPointer(LINUX, click(40, 90, 12, 0.125))),
    "a hand that hits the middle",
  );
});

test("scripted_click: silent if any of the three is like a hand's, and on systems whose voice control clicks so", () => {
  for (const hand of [click(16, 5, 90), click(5, 12, 90), click(5, 5, 20)]) {
    assert.ok(!raises(scriptedClick, withPointer(LINUX, hand)), JSON.stringify(hand));
  }
  assert.ok(!raises(scriptedClick, withPointer(CHROME_VISITOR, AGENT)));
  assert.ok(!raises(scriptedClick, withPointer(findVisitor("Brave on a Mac"), AGENT)));
});

/** Presses two seconds apart, held for these times. */
const row = (dwells: readonly number[]): readonly PointerSample[] =>
  dwells.flatMap((dwellMs, at) =>
    click(60, dwellMs, 4).map(([ms, ...rest]) => [ms + at * 2000, ...rest] as const),
  );

test("press_dwell_regular: raised by five presses of a constant length", () => {
  assert.ok(raises(pressDwellRegular, withPointer(LINUX, row([210, 80, 80.4, 79.2, 80, 80.1]))));
});

test("press_dwell_regular: silent on fewer presses, on people's variation and on taps of a touchpad", () => {
  assert.ok(!raises(pressDwellRegular, withPointer(LINUX, row([80, 80, 80, 80]))));
  assert.ok(!raises(pressDwellRegular, withPointer(LINUX, row([80, 80, 80, 95, 80, 80, 80]))));
  assert.ok(!raises(pressDwellRegular, withPointer(LINUX, row([7, 7, 7.1, 7.2, 7]))));
});

const ALL: readonly FlagRow[] = [
  pressTooShort,
  noApproach,
  movePressCoincident,
  exactCentreClick,
  scriptedClick,
  pressDwellRegular,
];

const WITH_TOUCH = withEnvironment(LINUX, { touchPoints: 10 });

test("press flags: a touch excuses only its own press, and none on a device without touch", () => {
  const tap: PointerSample = [100, 5, 5, 1, 1, 0.5, 1, 0, 0];
  for (const visitor of [LINUX, WITH_TOUCH]) {
    for (const pointer of [
      [tap, ...AGENT],
      [...AGENT, tap],
    ])
      assert.ok(raises(noApproach, withPointer(visitor, pointer)));
  }
  const asTouch = AGENT.map(
    ([t, x, y, kind, , ...rest]): PointerSample => [t, x, y, kind, 1, ...rest],
  );
  assert.ok(raises(noApproach, withPointer(LINUX, asTouch)));
  assert.ok(!raises(noApproach, withPointer(WITH_TOUCH, asTouch)));
});

test("press flags: score a visitor who taps and then uses the mouse by the mouse alone, and as a person", () => {
  const hand = CHROME_VISITOR.behaviour.pointer;
  const tap: readonly PointerSample[] = [
    [400, 900, 700, 1, 1, 0.6, 1, 3, 4],
    [480, 900, 700, 2, 1, 0, 1],
    [481, 900, 700, 4, 1, 0, 1],
  ];
  const touching = withEnvironment(CHROME_VISITOR, { touchPoints: 10 });
  const visitor = withPointer(touching, [...tap, ...hand]);
  assert.deepEqual(assessVisit(visitor).flags, []);
});

test("press flags: score a phone without touch as a computer, since one switch gives a driven browser a phone's name", () => {
  for (const [name, changes] of [
    ["Chrome on Android", {}],
    ["iPhone", {}],
    ["Chrome on Android", { platform: "Linux x86_64" }],
  ] as const) {
    const phone = findVisitor(name);
    const touchless = withEnvironment(phone, { ...changes, touchPoints: 0 });
    for (const row of [noApproach, exactCentreClick]) {
      assert.ok(raises(row, withPointer(touchless, AGENT)), name);
      assert.ok(
        !raises(row, withPointer(phone, AGENT)),
        `${name}: TalkBack presses so where there is touch`,
      );
    }
  }
  for (const userAgent of [
    "Mozilla/5.0 (Linux; Android 11; SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36",
    "Mozilla/5.0 (Mobile; LYF/F300B; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
  ]) {
    const keyed = withUserAgent(
      withEnvironment(findVisitor("Chrome on Android"), { touchPoints: 0 }),
      userAgent,
    );
    assert.ok(
      !raises(noApproach, withPointer(keyed, AGENT)),
      "a remote or keys move the mouse in steps",
    );
  }
});

test("press flags: silent on assistive technology, touch, pen, phones, untrusted events and withheld signals", () => {
  const jumps = row([5, 5, 5, 5, 5]);
  const ofType = (type: number) =>
    jumps.map(([t, x, y, kind, , ...rest]) => [t, x, y, kind, type, ...rest] as const);
  const cases = [
    withPointer(LINUX, AGENT.slice(1)),
    withPointer(LINUX, AGENT.slice(3)),
    withPointer(WITH_TOUCH, ofType(1)),
    ...[2, 3].map((type) => withPointer(LINUX, ofType(type))),
    withPointer(findVisitor("Chrome on Android"), jumps),
    withPointer(
      LINUX,
      jumps.map(
        ([t, x, y, kind, type, pressure, , ...rest]) =>
          [t, x, y, kind, type, pressure, 0, ...rest] as const,
      ),
    ),
    { ...withPointer(LINUX, jumps), environment: "withheld" as const },
    { ...LINUX, behaviour: "withheld" as const },
  ];
  cases.forEach((evidence, at) => {
    assert.ok(!ALL.some((row) => raises(row, evidence)), `case ${at}`);
  });
  assert.ok(ALL.some((row) => raises(row, withEnvironment(withPointer(LINUX, jumps), {}))));
});
