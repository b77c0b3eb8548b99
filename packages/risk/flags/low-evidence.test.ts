import assert from "node:assert/strict";
import { test } from "node:test";
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
import { raises } from "@stile/testkit/visits/raises";
import { lowEvidence } from "./low-evidence.ts";

const BOX = [320, 330, 300, 65] as const;
const NOBODY = { pointer: [], keys: [], focus: [], scroll: [], box: BOX, durationMs: 4_200 } as const;
/** A name and an Enter, as somebody types them. */
const TYPED: readonly ToggleSample[] = [400, 610, 745, 990, 1_400].flatMap((ms): ToggleSample[] => [
  [ms, 1],
  [ms + 83, 0],
]);

const shows = (changes: Partial<BehaviourSignals>, visitor = CHROME_VISITOR): HonestEvidence =>
  withBehaviour(visitor, { ...NOBODY, ...changes });

/** The same visit as the answer to a challenge that asked for a click, two seconds after it was given out. */
const asked = (visitor: HonestEvidence): HonestEvidence => ({
  ...visitor,
  solve: { ...CHROME_VISITOR.solve!, interaction: "click", elapsedMs: 2_000 },
});

/** Space on what has its middle there, let go at that time. */
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

test("low_evidence: raised when nothing is known, a busy network or not (D7)", () => {
  assert.ok(raises(lowEvidence, {}));
  assert.ok(raises(lowEvidence, { headers: {}, velocity: { perMinute: 90, siteRatio: 9 } }));
  assert.ok(raises(lowEvidence, { history: { isTokenInvalid: false, isSignalsReplayed: false } }));
});

test("low_evidence: silent as soon as one thing is known (D7)", () => {
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
  for (const evidence of single) assert.ok(!raises(lowEvidence, evidence), Object.keys(evidence).join());
});

test("low_evidence: raised by a visit that shows nothing, keys alone, scrolling, or focus (D9)", () => {
  assert.ok(raises(lowEvidence, shows({})));
  assert.ok(raises(lowEvidence, shows({ keys: TYPED })));
  assert.ok(raises(lowEvidence, shows({ scroll: [[410, 1]], focus: [[20, 1]], visibility: [[0, 1]] })));
});

test("low_evidence: raised by a pointer that only a script moved, and by a finger where there is no touch", () => {
  assert.ok(raises(lowEvidence, shows({ pointer: [[900, 400, 300, 0, 0, 0, 0, 3, 3, 1]] })));
  assert.ok(raises(lowEvidence, shows({ pointer: press(900, 40, 40, 1) })));
  const withTouch = withEnvironment(CHROME_VISITOR, { touchPoints: 10 });
  assert.ok(!raises(lowEvidence, shows({ pointer: press(900, 40, 40, 1) }, withTouch)));
});

test("low_evidence: silent on any pointer that was seen, wherever it was", () => {
  for (const pointer of [[[900, 400, 300, 0, 0, 0, 1, 3, 3, 1] as const], press(900, 40, 40), press(900, 40, 40, 2)]) {
    assert.ok(!raises(lowEvidence, shows({ pointer })));
  }
});

test("low_evidence: silent on whoever pressed the widget by key, unasked, however they came to it", () => {
  assert.ok(!raises(lowEvidence, shows(space(2_000))));
  const enter: PointerSample = [1_409, 0, 0, 4, 3, 0, 1, -470, -362];
  assert.ok(!raises(lowEvidence, shows({ keys: TYPED, pointer: [enter] })), "Enter clicks as it goes down");
  const placed: PointerSample = [1_409, 470, 362, 4, 3, 0, 1];
  assert.ok(!raises(lowEvidence, shows({ keys: TYPED, pointer: [placed] })), "a browser that tells the place");
});

test("low_evidence: raised by a key that pressed something else, such as the button that sends", () => {
  assert.ok(raises(lowEvidence, shows(space(2_000, 470, 520))));
  assert.ok(raises(lowEvidence, shows({ keys: TYPED, pointer: [[1_409, 0, 0, 4, 3, 0, 1]] })), "no place is told");
  assert.ok(raises(lowEvidence, shows({ ...space(2_000), box: null })));
});

test("low_evidence, asked: cleared by a press on the widget by mouse, pen, finger or key, and by nothing else (D9)", () => {
  for (const type of [0, 1, 2])
    assert.ok(!raises(lowEvidence, asked(shows({ pointer: press(3_000, 470, 362, type) }))));
  assert.ok(!raises(lowEvidence, asked(shows(space(3_000)))));
  const elsewhere = [...press(3_000, 40, 40), [3_500, 400, 300, 0, 0, 0, 1, 3, 3, 1] as const];
  assert.ok(raises(lowEvidence, asked(shows({ keys: TYPED, pointer: elsewhere }))), "a pointer, but no press on it");
  assert.ok(raises(lowEvidence, asked(shows({ pointer: [[3_000, 470, 362, 4, 3, 0, 1]] }))), "neither pointer nor key");
});

test("low_evidence, asked: raised by a click from before it was asked for, and by one still to come", () => {
  const late = { durationMs: 20_000 };
  assert.ok(raises(lowEvidence, asked(shows({ ...space(12_900), ...late }))));
  assert.ok(!raises(lowEvidence, asked(shows({ ...space(13_200), ...late }))), "as the answer is on its way");
  assert.ok(raises(lowEvidence, asked(shows({ pointer: press(12_900), ...late }))));
  assert.ok(raises(lowEvidence, asked(shows({ ...space(5_300) }))));
});

test("low_evidence, asked: raised by a press that was not let go, and by a key that was pressed long before", () => {
  const [down, up, click] = press(3_000) as [PointerSample, PointerSample, PointerSample];
  for (const pointer of [[down], [down, up], [down, click], [up, click]]) {
    assert.ok(raises(lowEvidence, asked(shows({ pointer }))), JSON.stringify(pointer));
  }
  assert.ok(raises(lowEvidence, asked(shows({ ...space(3_000), keys: [[900, 1]] }))));
});

test("nobody is blocked for having shown nothing: exactly 0.30, whoever it is (D9)", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    const { score, flags } = assessVisit(withBehaviour(evidence, { pointer: [], keys: [] }));
    assert.deepEqual([score, flags.includes("low_evidence")], [0.3, true], name);
  }
});

test("whoever had to be asked and pressed by key is judged as before (WCAG 2.1.1)", () => {
  const visitor = findVisitor("Firefox on Linux, keyboard only");
  const { score, flags } = assessVisit(asked(withBehaviour(visitor, space(3_000))));
  assert.deepEqual([score, flags], [0.05, []]);
});

test("low_evidence: leaves to others what is theirs: withheld behaviour, no work, a site that asks everybody", () => {
  const nobody = shows({});
  assert.ok(!raises(lowEvidence, { ...nobody, behaviour: "withheld" }));
  assert.ok(!raises(lowEvidence, { ...nobody, solve: undefined }), "collected when the site chose to (D7)");
  assert.ok(!raises(lowEvidence, { ...nobody, solve: { ...nobody.solve!, asksEverybody: true } }), "click_unplaced");
  assert.ok(!raises(lowEvidence, withPointer(nobody, press(900))));
});
