import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ObservedBehaviour,
  ObservedPointer,
  ObservedToggle,
} from "@stile/protocol/observed-signals";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { keyPresses } from "./widget-press.ts";

const NOTHING_DONE: ObservedBehaviour = {
  ...decoded(CHROME_VISITOR.behaviour),
  pointer: [],
  keys: [],
};
const click = (atMs: number): ObservedPointer => ({
  atMs,
  x: 40,
  y: 30,
  kind: "click",
  type: "unknown",
  pressure: 0,
  isTrusted: true,
  movedX: undefined,
  movedY: undefined,
  coalesced: undefined,
  offsetX: 4,
  offsetY: 3,
});
const key = (atMs: number, isOn: boolean): ObservedToggle => ({ atMs, isOn });

test("Enter presses on key down and Space on key up, each with the click that it caused", () => {
  const keys = [key(100, true), key(180, false), key(900, true), key(980, false)];
  const presses = keyPresses({ ...NOTHING_DONE, keys, pointer: [click(101), click(982)] });
  assert.deepEqual(
    presses.map(({ fromMs, clickMs, x, y }) => [fromMs, clickMs, x, y]),
    [
      [100, 101, 36, 27],
      [900, 982, 36, 27],
    ],
  );
});

test("assigns a click before any key, or long after the last one, to no key", () => {
  const keys = [key(100, true), key(180, false)];
  assert.deepEqual(keyPresses({ ...NOTHING_DONE, keys, pointer: [click(50), click(2_181)] }), []);
  assert.deepEqual(
    keyPresses({ ...NOTHING_DONE, keys: [key(180, false)], pointer: [click(181)] }),
    [],
  );
});

/** Rows that count how often their times are read. */
function counted<Row extends { readonly atMs: number }>(rows: readonly Row[]) {
  let looks = 0;
  const watched = rows.map((row) => ({
    ...row,
    get atMs() {
      looks++;
      return row.atMs;
    },
  }));
  return { watched, looks: () => looks };
}

test("reads the times of as many clicks and keys as a visit can hold only a few times each, in any order", () => {
  for (const [clickMs, keyMs] of [
    [1, 99],
    [99, 1],
  ] as const) {
    const keys = counted(Array.from({ length: 500 }, () => key(keyMs, false)));
    const clicks = counted(Array.from({ length: 800 }, () => click(clickMs)));
    keyPresses({ ...NOTHING_DONE, keys: keys.watched, pointer: clicks.watched });
    assert.ok(
      keys.looks() + clicks.looks() <= 6 * 1_300,
      `${keys.looks()} and ${clicks.looks()} looks`,
    );
  }
});
