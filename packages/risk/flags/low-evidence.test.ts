import assert from "node:assert/strict";
import { test } from "node:test";
import { pointerMoment } from "@stile/protocol/batch";
import type { BehaviourSignals, PointerSample, ToggleSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  type HonestEvidence,
  withBehaviour,
  withEnvironment,
  withPointer,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit, type HandedIn } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { handMoves } from "@stile/testkit/visits/pointer-paths";
import { raises } from "@stile/testkit/visits/raises";
import type { SolveEvidence } from "../evidence.ts";
import { lowEvidence } from "./low-evidence.ts";

const BOX = [320, 330, 300, 65] as const;
const NOBODY = {
  pointer: [],
  keys: [],
  focus: [],
  scroll: [],
  box: BOX,
  durationMs: 4_200,
} as const;
/** A name and an Enter, as a person types them. */
const TYPED: readonly ToggleSample[] = [400, 610, 745, 990, 1_400].flatMap((ms): ToggleSample[] => [
  [ms, 1],
  [ms + 83, 0],
]);

const shows = (changes: Partial<BehaviourSignals>, visitor = CHROME_VISITOR): HonestEvidence =>
  withBehaviour(visitor, { ...NOBODY, ...changes });

/** The page's observations 2.2 s after its visit began: a Tab. */
const TAB_BEFORE = { atMs: 2_200, pointer: [], keys: [1_200, 1_290] } as const;

/**
 * The same visit as the answer to a challenge that asked for a click, two seconds after it was
 * issued.
 */
const asked = (
  visitor: HonestEvidence,
  witness: SolveEvidence["witness"] = TAB_BEFORE,
): HonestEvidence => ({
  ...visitor,
  solve: { ...CHROME_VISITOR.solve!, interaction: "click", elapsedMs: 2_000, witness },
});

/**
 * A visit submitted `elapsedMs` after its challenge was issued, with the page's observations by
 * then.
 */
const watched = (
  visitor: HonestEvidence,
  elapsedMs: number,
  witness: SolveEvidence["witness"],
): HonestEvidence => ({
  ...visitor,
  solve: { ...visitor.solve!, elapsedMs, witness },
});

/** Space pressed on an element whose middle is there, released at that time. */
function space(ms: number, x = 470, y = 362): Partial<BehaviourSignals> {
  return {
    keys: [
      [ms - 84, 1],
      [ms, 0],
    ],
    pointer: [[ms + 1, 0, 0, 4, 3, 0, 1, -x, -y]],
  };
}

function press(ms: number, x = 470, y = 362, type = 0): readonly PointerSample[] {
  return [
    [ms, x, y, 1, type, 0.5, 1, 3, 2],
    [ms + 80, x, y, 2, type, 0, 1],
    [ms + 80, x, y, 4, type, 0, 1],
  ];
}

/** That many moves in equal steps along a straight line, as a loop generates them. */
const ruled = (count: number, everyMs: number, stepPx: number): readonly PointerSample[] =>
  Array.from({ length: count }, (_, at) => {
    const [x, y] = [100 + Math.round(at * stepPx), 200 + Math.round((at * stepPx) / 3)];
    return [900 + at * everyMs, x, y, 0, 0, 0, 1, stepPx, stepPx / 3, 1] as const;
  });

test("low_evidence: raised if nothing is known, on a busy network or not (D7, score request)", () => {
  assert.ok(raises(lowEvidence, {}));
  assert.ok(raises(lowEvidence, { headers: {}, velocity: { perMinute: 90, siteRatio: 9 } }));
  assert.ok(raises(lowEvidence, { history: { isTokenInvalid: false, isSignalsReplayed: false } }));
  assert.ok(raises(lowEvidence, { history: { isAddressHidden: true } }));
});

test("low_evidence: silent as soon as one fact is known (D7, score request)", () => {
  const { userAgent, headers, environment, behaviour, solve } = CHROME_VISITOR;
  const single: readonly HandedIn[] = [
    { userAgent },
    { headers },
    { environment },
    { environment: "withheld" },
    { behaviour },
    { solve },
    { tokenScore: 0.05 },
    { history: { isTokenInvalid: true } },
    { history: { isAddressChanged: true } },
  ];
  for (const evidence of single)
    assert.ok(!raises(lowEvidence, evidence), Object.keys(evidence).join());
});

test("low_evidence: raised by a visit with no input, or with only keys, scrolling or focus (D9, submission)", () => {
  assert.ok(raises(lowEvidence, shows({})));
  assert.ok(raises(lowEvidence, shows({ keys: TYPED })));
  assert.ok(
    raises(lowEvidence, shows({ scroll: [[410, 1]], focus: [[20, 1]], visibility: [[0, 1]] })),
  );
});

test("low_evidence: raised by a pointer that only a script moved, and by a finger on a device without touch", () => {
  assert.ok(raises(lowEvidence, shows({ pointer: [[900, 400, 300, 0, 0, 0, 0, 3, 3, 1]] })));
  assert.ok(raises(lowEvidence, shows({ pointer: press(900, 40, 40, 1) })));
  const withTouch = withEnvironment(CHROME_VISITOR, { touchPoints: 10 });
  assert.ok(!raises(lowEvidence, shows({ pointer: press(900, 40, 40, 1) }, withTouch)));
});

test("low_evidence: silent on any observed press, wherever it was, and on a mouse or pen that a hand moved", () => {
  for (const pointer of [
    press(900, 40, 40),
    press(900, 40, 40, 2),
    handMoves(900),
    handMoves(900, 2),
  ]) {
    assert.ok(!raises(lowEvidence, shows({ pointer })), JSON.stringify(pointer));
  }
});

test("low_evidence: silent on a press that has not ended yet, such as the one that submits the form", () => {
  assert.ok(!raises(lowEvidence, shows({ pointer: press(900).slice(0, 1) })));
});

test("low_evidence: raised by minimal synthetic input: a move, a release, a cancel, a line in even steps (D9, submission)", () => {
  const phone = findVisitor("Chrome on Android");
  const event = (kind: number, type: number): readonly PointerSample[] => [
    [900, 400, 300, kind, type, 0, 1],
  ];
  const least: readonly (readonly [string, readonly PointerSample[], HonestEvidence?])[] = [
    ["one move", [[900, 400, 300, 0, 0, 0, 1, 3, 3, 1]]],
    ["one move of a pen", event(0, 2)],
    ["a mouse's release", event(2, 0)],
    ["a pen's cancel", event(3, 2)],
    ["a finger that moved and never touched", event(0, 1), phone],
    ["a finger's cancel", event(3, 1), phone],
    ["a finger's release", event(2, 1), phone],
    ["two moves", handMoves(900).slice(4, 6)],
    ["a line", ruled(6, 16, 20)],
    ["a long line", ruled(40, 16, 17.3)],
    ["a line over a slow link", ruled(12, 150, 33.3)],
    [
      "a line between pixels",
      ruled(30, 16, 7).map(([ms, x, y, ...rest]) => [ms, x + 0.4, y + 0.7, ...rest] as const),
    ],
    ["hardly any movement", ruled(60, 16, 0.7)],
    [
      "moves that a script made",
      handMoves(900).map(([ms, x, y]) => [ms, x, y, 0, 0, 0, 0] as const),
    ],
  ];
  for (const [what, pointer, visitor] of least)
    assert.ok(raises(lowEvidence, shows({ pointer }, visitor)), what);
});

test("low_evidence: silent on a visitor who pressed the widget by key without being asked, however the focus got there", () => {
  assert.ok(!raises(lowEvidence, shows(space(2_000))));
  const enter: PointerSample = [1_409, 0, 0, 4, 3, 0, 1, -470, -362];
  assert.ok(
    !raises(lowEvidence, shows({ keys: TYPED, pointer: [enter] })),
    "Enter clicks as it goes down",
  );
  const placed: PointerSample = [1_409, 470, 362, 4, 3, 0, 1];
  assert.ok(
    !raises(lowEvidence, shows({ keys: TYPED, pointer: [placed] })),
    "a browser that tells the place",
  );
});

test("low_evidence: raised by a key that pressed something else, such as the submit button", () => {
  assert.ok(raises(lowEvidence, shows(space(2_000, 470, 520))));
  assert.ok(
    raises(lowEvidence, shows({ keys: TYPED, pointer: [[1_409, 0, 0, 4, 3, 0, 1]] })),
    "no place is told",
  );
  assert.ok(raises(lowEvidence, shows({ ...space(2_000), box: null })));
});

test("low_evidence, asked: cleared only by a press on the widget, by mouse, pen, finger or key (D9, submission)", () => {
  for (const type of [0, 1, 2])
    assert.ok(!raises(lowEvidence, asked(shows({ pointer: press(3_000, 470, 362, type) }))));
  assert.ok(!raises(lowEvidence, asked(shows(space(3_000)))));
  const elsewhere = [...press(3_000, 40, 40), ...handMoves(3_500)];
  assert.ok(
    raises(lowEvidence, asked(shows({ keys: TYPED, pointer: elsewhere }))),
    "a pointer, but no press on it",
  );
  assert.ok(
    raises(lowEvidence, asked(shows({ pointer: [[3_000, 470, 362, 4, 3, 0, 1]] }))),
    "neither pointer nor key",
  );
});

test("low_evidence, asked: raised by a click from before the request for it, and by one in the future", () => {
  const late = { durationMs: 20_000 };
  assert.ok(raises(lowEvidence, asked(shows({ ...space(15_900), ...late }))));
  assert.ok(
    !raises(lowEvidence, asked(shows({ ...space(16_200), ...late }))),
    "as the challenge is on its way",
  );
  assert.ok(raises(lowEvidence, asked(shows({ pointer: press(15_900), ...late }))));
  assert.ok(raises(lowEvidence, asked(shows({ ...space(5_300) }))));
});

test("low_evidence, asked: raised by a press that was not released, and by a key that was pressed long before", () => {
  const [down, up, click] = press(3_000) as [PointerSample, PointerSample, PointerSample];
  for (const pointer of [[down], [down, up], [down, click], [up, click]]) {
    assert.ok(raises(lowEvidence, asked(shows({ pointer }))), JSON.stringify(pointer));
  }
  assert.ok(raises(lowEvidence, asked(shows({ ...space(3_000), keys: [[900, 1]] }))));
});

test("low_evidence: never blocks a visitor for showing nothing; the score is exactly 0.30 (D9, submission)", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    const { score, flags } = assessVisit(withBehaviour(evidence, { pointer: [], keys: [] }));
    assert.deepEqual([score, flags.includes("low_evidence")], [0.3, true], name);
  }
});

test("low_evidence: scores a visitor who was asked and pressed by key as before (WCAG 2.1.1)", () => {
  const visitor = findVisitor("Firefox on Linux, keyboard only");
  const pressed = space(3_000);
  const keys = [[1_200, 1] as const, [1_290, 0] as const, ...(pressed.keys ?? [])];
  const { score, flags } = assessVisit(asked(withBehaviour(visitor, { ...pressed, keys })));
  assert.deepEqual([score, flags], [0.05, []]);
});

test("low_evidence: silent where other flags apply: withheld behaviour, no work, a site that asks everybody", () => {
  const nobody = shows({});
  assert.ok(!raises(lowEvidence, { ...nobody, behaviour: "withheld" }));
  assert.ok(
    !raises(lowEvidence, { ...nobody, solve: undefined }),
    "collected when the site chose to (D7, score request)",
  );
  assert.ok(
    !raises(lowEvidence, { ...nobody, solve: { ...nobody.solve!, asksEverybody: true } }),
    "click_unplaced",
  );
  assert.ok(!raises(lowEvidence, withPointer(nobody, press(900))));
});

test("low_evidence, asked: raised by a press if the page reported no visitor when it asked for the challenge (D9, submission)", () => {
  for (const witness of [{ ...TAB_BEFORE, keys: [] }, "none", "forged"] as const) {
    assert.ok(raises(lowEvidence, asked(shows(space(3_000)), witness)));
    assert.ok(raises(lowEvidence, asked(shows({ pointer: press(3_000) }), witness)));
  }
  const aMove = { ...TAB_BEFORE, pointer: ["2100.400.300"], keys: [] };
  assert.ok(!raises(lowEvidence, asked(shows({ pointer: press(3_000) }), aMove)));
});

test("low_evidence: raised by seconds of visit that arrive milliseconds after the challenge (D9, submission)", () => {
  const moves = shows({ pointer: handMoves(4_100) });
  const told = { atMs: 4_050, pointer: [], keys: [] };
  assert.ok(raises(lowEvidence, watched(moves, 150, told)));
  assert.ok(raises(lowEvidence, watched(moves, 890, told)));
  assert.ok(!raises(lowEvidence, watched(moves, 900, told)));
  assert.ok(
    raises(lowEvidence, watched(shows(space(4_000)), 890, told)),
    "a press of the widget as well",
  );
});

test("low_evidence: raised by input before the challenge that was not reported when the page asked for it", () => {
  const tap = shows({ pointer: press(2_900, 40, 40) });
  const told = { atMs: 4_000, pointer: ["2900.40.40", "2980.40.40"], keys: [] };
  assert.ok(!raises(lowEvidence, watched(tap, 1_000, told)), "the press that made the page ask");
  for (const witness of [
    { ...told, pointer: [] },
    { ...told, pointer: ["2900.40.41"] },
    "none",
    "forged",
  ] as const) {
    assert.ok(raises(lowEvidence, watched(tap, 1_000, witness)), JSON.stringify(witness));
  }
});

test("low_evidence: silent on moves just before the request that the browser delivered to the page just after it", () => {
  const moves = shows({ pointer: handMoves(246) });
  const told = { atMs: 247, pointer: [], keys: [] };
  assert.ok(!raises(lowEvidence, watched(moves, 3_900, told)));
  assert.ok(
    raises(lowEvidence, watched(moves, 1_900, told)),
    "more than two seconds before the challenge",
  );
  assert.ok(
    raises(lowEvidence, watched(moves, 3_900, { ...told, atMs: 1_300 })),
    "a second before it asked",
  );
});

test("low_evidence: accepts the rest of a movement that was reported in time, even if it began earlier than a page can report", () => {
  const hand = handMoves(2_900);
  const [, x = 0, y = 0] = hand.at(-1) ?? [];
  const moves = shows({ pointer: hand });
  const told = (ms: number) => ({ atMs: 4_000, pointer: [pointerMoment(ms, x, y)], keys: [] });
  assert.ok(!raises(lowEvidence, watched(moves, 1_000, told(2_900))));
  assert.ok(raises(lowEvidence, watched(moves, 1_000, told(2_901))), "nothing of it was reported");
});

test("low_evidence: ignores input from long before the page asked, reported or not", () => {
  const early = shows({ pointer: press(900, 40, 40), durationMs: 33_000 });
  const told = { atMs: 30_900, pointer: ["900.40.40", "980.40.40"], keys: [] };
  assert.ok(!raises(lowEvidence, watched(early, 1_000, told)), "half a minute of reading");
  assert.ok(raises(lowEvidence, watched(early, 1_000, { ...told, atMs: 31_000 })));
});

test("low_evidence: counts input after the challenge, by the service's clock, even without a batch", () => {
  const moves = shows({ pointer: handMoves(3_500) });
  assert.ok(!raises(lowEvidence, watched(moves, 1_000, "none")));
  assert.ok(
    raises(lowEvidence, watched(shows({ ...moves.behaviour, durationMs: 9_000 }), 1_000, "none")),
  );
});
