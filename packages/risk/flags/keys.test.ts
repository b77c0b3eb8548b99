import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToggleSample } from "@stile/protocol/signals";
import { CHROME_VISITOR, withBehaviour } from "@stile/testkit/visits/find-visitor";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { raises } from "@stile/testkit/visits/raises";
import { createRandom } from "../seeded-random.ts";
import { scriptedTyping } from "./scripted-typing.ts";

/** Key strokes, each given by how long it is held, and its distance from the one before. */
function typed(
  strokes: readonly (readonly [holdMs: number, distanceMs: number])[],
): readonly ToggleSample[] {
  let ms = 500;
  return strokes.flatMap(([holdMs, distanceMs]): ToggleSample[] => {
    ms += distanceMs;
    return [
      [ms, 1],
      [ms + holdMs, 0],
    ];
  });
}

const isScripted = (keys: readonly ToggleSample[]): boolean =>
  raises(scriptedTyping, withBehaviour(CHROME_VISITOR, { keys }));

/** Roughly normally distributed. */
const noise = (random: () => number): number => random() + random() + random() + random() - 2;

/** Hold times of Playwright's `keyboard.type` with a delay of 80 ms, on a busy machine. */
const PLAYWRIGHT = [90, 86, 84, 91, 92, 92, 102, 83, 90, 87];
/** The same on an emulated phone, on a busier machine. */
const JITTERY = [52, 44, 163, 43, 43, 47, 49, 48, 43, 49, 45, 50, 50, 78];
/** Times from down to down of the same tool without a delay. */
const AT_ONCE = [14, 17, 12, 15, 21, 13, 16, 40, 15, 22];

test("scripted_typing: raised by a tool that waits a constant time, and by one that does not wait", () => {
  assert.ok(
    isScripted(typed(PLAYWRIGHT.map((holdMs) => [holdMs, 120 + (holdMs % 5)]))),
    "a timer for each key",
  );
  assert.ok(
    isScripted(typed(JITTERY.map((holdMs, at) => [holdMs, (JITTERY[at - 1] ?? 0) + 3]))),
    "no gaps",
  );
  assert.ok(
    isScripted(
      typed(JITTERY.slice(0, 5).map((holdMs, at) => [holdMs, (JITTERY[at - 1] ?? 0) + 3])),
    ),
    "five keys",
  );
  assert.ok(isScripted(typed(AT_ONCE.map((distanceMs, at) => [at % 3 === 0 ? 6 : 9, distanceMs]))));
});

test("scripted_typing: silent on few keys, on overlapping ones, and on a key that is held down", () => {
  assert.ok(
    !isScripted(typed(PLAYWRIGHT.slice(0, 7).map((holdMs) => [holdMs, 120 + (holdMs % 5)]))),
    "seven keys",
  );
  const behindEachOther = (slowed: number) =>
    typed(
      JITTERY.map((holdMs, at) => [holdMs, (JITTERY[at - 1] ?? 0) + (at % slowed === 0 ? 40 : 3)]),
    );
  assert.ok(!isScripted(behindEachOther(99).slice(0, 8)), "three gaps");
  assert.ok(!isScripted(behindEachOther(3)), "a gap after every third key");
  const rolled = Array.from(
    { length: 30 },
    (_, at): ToggleSample => [500 + at * 40, at % 4 < 2 ? 1 : 0],
  );
  assert.ok(!isScripted(rolled), "every other key goes down before the last is up");
  const held = Array.from({ length: 40 }, (_, at): ToggleSample => [500 + at * 33, 1]);
  assert.ok(!isScripted([...held, [2000, 0]]));
});

test("scripted_typing: silent on the even holds of screen keyboards and switches, which type at a person's pace", () => {
  const random = createRandom(7);
  assert.ok(!isScripted(typed(Array.from({ length: 20 }, () => [1, 700 + 300 * random()]))));
});

test("scripted_typing: raised by at most a few of ten thousand people who type or tap one key", () => {
  const random = createRandom(11);
  const people = [
    { who: "types", hold: 95, holdSpread: 22, distance: 190, distanceSpread: 60, atMost: 2 },
    {
      who: "taps one key",
      hold: 80,
      holdSpread: 8,
      distance: 210,
      distanceSpread: 12,
      atMost: 300,
    },
  ];
  for (const { who, hold, holdSpread, distance, distanceSpread, atMost } of people) {
    let raised = 0;
    for (let person = 0; person < 10_000; person++) {
      const strokes = Array.from({ length: 8 }, () => {
        const holdMs = Math.max(15, hold + 1.73 * holdSpread * noise(random));
        return [
          holdMs,
          Math.max(holdMs + 5, distance + 1.73 * distanceSpread * noise(random)),
        ] as const;
      });
      if (isScripted(typed(strokes))) raised++;
    }
    assert.ok(raised <= atMost, `${who}: ${raised} of 10,000`);
  }
});

test("scripted_typing: silent on the honest visitors, on withheld signals and without evidence", () => {
  for (const { name, evidence } of HONEST_VISITORS)
    assert.ok(!raises(scriptedTyping, evidence), name);
  assert.ok(!raises(scriptedTyping, { ...CHROME_VISITOR, behaviour: "withheld" }));
  assert.ok(!raises(scriptedTyping, {}));
});
