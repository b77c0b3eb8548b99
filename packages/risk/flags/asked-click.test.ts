import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  type HonestEvidence,
  withBehaviour,
  withPointer,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { raises } from "@stile/testkit/visits/raises";
import { clickUnplaced } from "./click-unplaced.ts";

/**
 * Submitted on a site that asks everybody for a click, two seconds after the challenge was issued.
 */
const asked = (visitor: HonestEvidence): HonestEvidence => ({
  ...visitor,
  solve: { ...CHROME_VISITOR.solve!, interaction: "click", asksEverybody: true, elapsedMs: 2_000 },
});

const BOX = [320, 330, 300, 65] as const;
const TIMES = { durationMs: 4_200, box: BOX, scroll: [], visibility: [] } as const;

type Press = { ms?: number; x?: number; y?: number; type?: number; trusted?: 0 | 1 };

/**
 * A complete press of a pointer in the middle of the widget, 1.2 s before the submission, with
 * parts replaced.
 */
function pressed({
  ms = 3_000,
  x = 470,
  y = 362,
  type = 0,
  trusted = 1,
}: Press = {}): readonly PointerSample[] {
  return [
    [ms, x, y, 1, type, 0.5, trusted, 3, 2],
    [ms + 80, x, y, 2, type, 0, trusted],
    [ms + 80, x, y, 4, type, 0, trusted],
  ];
}

const isRaised = (pointer: readonly PointerSample[], more = {}): boolean =>
  raises(
    clickUnplaced,
    asked(withBehaviour(withPointer(CHROME_VISITOR, pointer), { ...TIMES, ...more })),
  );

test("click_unplaced: raised by keys alone, and by a click from the keyboard or a script", () => {
  assert.ok(isRaised([]));
  assert.ok(isRaised([[3_000, 0, 0, 4, 3, 0, 1]]), "Enter");
  assert.ok(
    isRaised([[3_000, 470, 362, 4, 3, 0, 1]]),
    "Space, which some browsers place in the middle",
  );
  assert.ok(isRaised(pressed({ type: 3 })), "no pointer");
  assert.ok(isRaised(pressed({ trusted: 0 })), "dispatched");
});

test("click_unplaced: raised by a press next to the widget, and if the widget has no box", () => {
  for (const place of [{ x: 300 }, { x: 640 }, { y: 310 }, { y: 420 }])
    assert.ok(isRaised(pressed(place)), JSON.stringify(place));
  assert.ok(isRaised(pressed(), { box: null }));
});

test("click_unplaced: raised by a press before the challenge, and by one after the submission", () => {
  assert.ok(isRaised(pressed({ ms: 1_000 }), { durationMs: 1_000 + 2_000 + 30_001 }));
  assert.ok(
    !isRaised(pressed({ ms: 1_000 }), { durationMs: 1_000 + 2_000 + 30_000 }),
    "a press fetches the challenge, which takes so long at most",
  );
  assert.ok(isRaised(pressed({ ms: 5_200 })));
});

test("click_unplaced: raised by a press that was submitted with the work sooner than any widget does it", () => {
  const scoreAfter = (elapsedMs: number): boolean => {
    const visitor = asked(withBehaviour(withPointer(CHROME_VISITOR, pressed()), TIMES));
    return raises(clickUnplaced, { ...visitor, solve: { ...visitor.solve!, elapsedMs } });
  };
  assert.deepEqual([200, 899, 900, 1_300].map(scoreAfter), [true, true, false, false]);
});

test("click_unplaced: raised by a press that was not released, ended differently, or did not become a click", () => {
  const [down, up, click] = pressed() as [PointerSample, PointerSample, PointerSample];
  const cancel = [3_050, 470, 362, 3, 0, 0, 1] as const;
  for (const samples of [
    [down],
    [down, click],
    [down, up],
    [up, click],
    [down, cancel, click],
    [up, down, click],
  ]) {
    assert.ok(isRaised(samples), JSON.stringify(samples));
  }
  assert.ok(!isRaised([down, click, up]), "the click has the time of the release");
});

test("click_unplaced: silent on every pointer, with moves and presses elsewhere before and after", () => {
  for (const type of [0, 1, 2]) assert.ok(!isRaised(pressed({ type })));
  const elsewhere = pressed({ ms: 1_000, x: 40, y: 900 });
  const moved: PointerSample = [3_040, 471, 362, 0, 0, 0.5, 1, 1, 0, 1];
  const [down, ...rest] = pressed() as [PointerSample, ...PointerSample[]];
  assert.ok(!isRaised([...elsewhere, down, moved, ...rest]));
});

test("click_unplaced: silent if the page was scrolled vertically after the press, but not horizontally", () => {
  const scroll = [[3_400, 1]] as const;
  assert.ok(!isRaised(pressed({ y: 700 }), { scroll }));
  assert.ok(isRaised(pressed({ y: 700 }), { scroll: [[2_900, 1]] }), "scrolled before");
  assert.ok(isRaised(pressed({ x: 40 }), { scroll }));
});

test("click_unplaced: silent if the site does not ask everybody, without a solve, and on withheld signals", () => {
  const keys = withPointer(CHROME_VISITOR, []);
  assert.ok(!raises(clickUnplaced, keys));
  assert.ok(
    !raises(clickUnplaced, { ...keys, solve: { ...keys.solve!, interaction: "click" } }),
    "managed, at risk",
  );
  assert.ok(!raises(clickUnplaced, { behaviour: keys.behaviour }));
  assert.ok(!raises(clickUnplaced, { ...asked(keys), behaviour: "withheld" }));
});

test("click_unplaced: accepts the mouse press of a screen reader on a site that asks everybody (NVDA, TalkBack)", () => {
  for (const name of ["Chrome on Windows with NVDA", "Chrome on Android with TalkBack"]) {
    assert.ok(
      assessVisit(asked(withBehaviour(findVisitor(name), { scroll: [] }))).score < 0.3,
      name,
    );
  }
});

test("never blocks a visitor without a pointer on a site that asks everybody: 0.30 or slightly more (D9, submission)", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    const { score, flags } = assessVisit(asked(withPointer(evidence, [])));
    assert.ok(score >= 0.3 && score < 0.4, `${name}: ${score}`);
    assert.deepEqual(flags, ["click_unplaced"]);
  }
});
