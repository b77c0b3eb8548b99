import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { preparePath } from "./segment.ts";
import { visitPaths } from "./visit-paths.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const hand = (seed: number) => handPath(COURSE, seed);
const pathsOf = (pointer: readonly PointerSample[]) =>
  visitPaths(decoded({ ...CHROME_VISITOR.behaviour, pointer }));
const [MOUSE, TOUCH, PEN, UNKNOWN] = [0, 1, 2, 3] as const;
const [DOWN, UP, CLICK] = [1, 2, 4] as const;

test("ends a path at each press of a mouse or pen, whether the browser trusts it or not", () => {
  for (const type of [MOUSE, PEN]) {
    for (const trusted of [0, 1] as const) {
      const paths = pathsOf(toPointer([hand(1), hand(2)], type, trusted));
      assert.equal(paths.length, 2);
      assert.deepEqual(paths[1], preparePath(hand(1)), "the older one is last");
    }
  }
});

test("finds no path of fingers, keyboards and assistive technology", () => {
  assert.deepEqual(pathsOf(toPointer([hand(1)], TOUCH)), []);
  assert.deepEqual(pathsOf(toPointer([hand(1)], UNKNOWN)), []);
  const indirect = ["keyboard", "NVDA", "TalkBack", "iPhone", "iPad", "Android", "Samsung"];
  const visitors = HONEST_VISITORS.filter(({ name }) =>
    indirect.some((word) => name.includes(word)),
  );
  assert.ok(visitors.length >= 7);
  for (const { name, evidence } of visitors)
    assert.deepEqual(visitPaths(decoded(evidence.behaviour)), [], name);
});

test("counts at most the last five paths of a visit", () => {
  const paths = pathsOf(toPointer([1, 2, 3, 4, 5, 6, 7].map(hand)));
  assert.equal(paths.length, 5);
  const [newest] = pathsOf(toPointer([hand(7)]));
  assert.deepEqual(paths[0]?.x, newest?.x);
});

test("does not count a drag as an approach; a press without a release hides no path", () => {
  const approach = toPointer([hand(1)]);
  const dragged = toPointer([hand(2)]).filter(([, , , kind]) => kind === 0);
  const lastMs = approach.at(-1)?.[0] ?? 0;
  const pressAt = approach.findIndex(([, , , kind]) => kind === DOWN);
  const drag = dragged.map(([ms, ...rest]): PointerSample => [ms + lastMs, ...rest]);
  const end: PointerSample = [lastMs + 5000, 470, 362, UP, MOUSE, 0, 1];
  assert.equal(pathsOf([...approach.slice(0, pressAt + 1), ...drag, end]).length, 1);
  const second: PointerSample = [(drag.at(-1)?.[0] ?? 0) + 10, 470, 362, DOWN, MOUSE, 0.5, 1];
  assert.equal(pathsOf([...approach.slice(0, pressAt + 1), ...drag, second]).length, 2);
});

test("ends a path at a click without a press before it: scripts dispatch it alone", () => {
  const moves = toPointer([hand(1)]).filter(([, , , kind]) => kind === 0);
  const lastMs = moves.at(-1)?.[0] ?? 0;
  assert.equal(pathsOf([...moves, [lastMs + 2, 470, 362, CLICK, MOUSE, 0, 0]]).length, 1);
  assert.equal(
    pathsOf([...moves, [lastMs + 2, 470, 362, CLICK, UNKNOWN, 0, 1]]).length,
    0,
    "Enter on a button",
  );
});

test("does not score moves that lead to no press", () => {
  assert.deepEqual(pathsOf(toPointer([hand(1)]).filter(([, , , kind]) => kind === 0)), []);
});

/** A person's path as Firefox passed it on while the machine was busy: times and places. */
const PATCHY = [
  [1392, 447, 109],
  [1407, 460, 103],
  [1423, 486, 95],
  [1441, 502, 92],
  [1458, 503, 91],
  [1596, 509, 146],
  [1613, 497, 170],
  [1629, 493, 181],
  [1651, 491, 187],
  [1723, 480, 208],
  [1911, 451, 254],
] as const;

test("does not score the rest of a path that a busy browser left; scores the same path with all its moves", () => {
  const move = ([ms, x, y]: readonly number[]): PointerSample => [
    ms ?? 0,
    x ?? 0,
    y ?? 0,
    0,
    MOUSE,
    0,
    1,
  ];
  const press: PointerSample = [1930, 451, 254, DOWN, MOUSE, 0.5, 1];
  assert.deepEqual(pathsOf([...PATCHY.map(move), press]), []);
  const whole = PATCHY.flatMap(([ms, x, y], at) => {
    const [nextMs = ms, nextX = x, nextY = y] = PATCHY[at + 1] ?? [];
    return [
      [ms, x, y],
      [(ms + nextMs) / 2, (x + nextX) / 2, (y + nextY) / 2],
    ];
  });
  assert.equal(pathsOf([...whole.map(move), press]).length, 1);
});
