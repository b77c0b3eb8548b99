import assert from "node:assert/strict";
import { test } from "node:test";
import type { PointerSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  withBehaviour,
  withEnvironment,
  withPointer,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { gradeIn, raises } from "@stile/testkit/visits/raises";
import { toScore } from "../score.ts";
import { FLAG_WEIGHTS } from "../weights.ts";
import { noApproach } from "./no-approach.ts";
import { sparsePointer } from "./sparse-pointer.ts";

type Moved = readonly [
  ms: number,
  x: number,
  y: number,
  dx?: number | undefined,
  dy?: number | undefined,
  coalesced?: number,
];

/** Moves of a mouse, the last of which ends in a press of usual length. */
function toPress(moves: readonly Moved[], restMs = 215, type = 0): PointerSample[] {
  const [ms = 0, x = 0, y = 0] = moves.at(-1) ?? [];
  return [
    ...moves.map(
      ([at, toX, toY, dx = 0, dy = 0, coalesced = 1]): PointerSample => [
        at,
        toX,
        toY,
        0,
        type,
        0,
        1,
        dx,
        dy,
        coalesced,
      ],
    ),
    [ms + restMs, x, y, 1, type, 0.5, 1, -6, 4],
    [ms + restMs + 91, x, y, 2, type, 0, 1],
    [ms + restMs + 91.4, x, y, 4, type, 0, 1],
  ];
}
const later = (pointer: readonly PointerSample[], byMs: number): PointerSample[] =>
  pointer.map(([ms, ...rest]) => [ms + byMs, ...rest]);

/**
 * As `playwright-own-window-hops` of the red team did it: from the middle of the screen halfway,
 * near, there.
 */
const HOPS: readonly Moved[] = [
  [1988.2, 317, 142, -633, -301],
  [2183.4, 547, 267, 230, 125],
  [2353.1, 552, 270, 5, 3],
];
const AGENT = toPress(HOPS);
/** The same to the next field, 300 px further. */
const AGENT_AGAIN = later(
  toPress([
    [2000, 700, 330],
    [2100, 849, 391, 149, 61],
    [2190, 851, 390, 2, -1],
  ]),
  2500,
);
const withMoves = (moves: readonly Moved[]) => withPointer(CHROME_VISITOR, toPress(moves));
const coalescedBy = (count: number) =>
  HOPS.map(([ms, x, y, dx, dy]): Moved => [ms, x, y, dx, dy, count]);

test("sparse_pointer: raised by an agent's hops, in part for one press and fully for two", () => {
  const one = gradeIn(sparsePointer, withPointer(CHROME_VISITOR, AGENT));
  assert.ok(one > 0 && one < 1, `grade ${one}`);
  assert.equal(gradeIn(sparsePointer, withPointer(CHROME_VISITOR, [...AGENT, ...AGENT_AGAIN])), 1);
});

test("sparse_pointer: alone never leads to a click; with the leap that began a hop, it leads to a click and not to a block", () => {
  const alone = toScore([{ flag: "sparse_pointer", weight: FLAG_WEIGHTS.sparse_pointer }]);
  assert.ok(alone < 0.3, `score ${alone}`);
  for (const pointer of [AGENT, [...AGENT, ...AGENT_AGAIN]]) {
    const { score, flags } = assessVisit(withPointer(CHROME_VISITOR, pointer));
    assert.deepEqual(flags, ["no_approach", "sparse_pointer"]);
    assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
  }
});

test("no_approach: raised by the leap that begins a hop, and silent if the mouse was already there", () => {
  assert.ok(raises(noApproach, withPointer(CHROME_VISITOR, AGENT)));
  assert.ok(!raises(noApproach, withMoves([[1988, 500, 240, 9, 4], ...HOPS.slice(1)])));
});

test("sparse_pointer: silent on hands at any rate, and on a visitor who once moved the mouse differently", () => {
  for (let seed = 0; seed < 40; seed++) {
    const hand = toPointer([handPath({ from: [120, 640], to: [470, 362] }, seed)]);
    for (const every of [1, 2, 3]) {
      const seen = hand.filter(([, , , kind], at) => kind !== 0 || at % every === 0);
      const told = seen.map(
        (it): PointerSample => (it[3] === 0 ? ([...it.slice(0, 7), 3, 1, every] as never) : it),
      );
      assert.ok(
        !raises(sparsePointer, withPointer(CHROME_VISITOR, told)),
        `seed ${seed}, each ${every}`,
      );
    }
  }
  const wander: readonly Moved[] = [0, 1, 2, 3, 4].map((at) => [
    200 + 50 * at,
    300 + 9 * at,
    200,
    9,
    0,
  ]);
  const moves = toPress(wander).slice(0, wander.length);
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, [...moves, ...AGENT])));
});

test("sparse_pointer: silent on a busy page that merges moves, and if a browser does not report merging", () => {
  assert.ok(raises(sparsePointer, withMoves(coalescedBy(1))));
  for (const count of [0, 2, 12])
    assert.ok(!raises(sparsePointer, withMoves(coalescedBy(count))), `${count} as one`);
  const busyBefore: Moved[] = [
    [300, 90, 90, 40, 40, 9],
    [350, 99, 99, 9, 9, 1],
  ];
  const [first, second] = toPress(busyBefore);
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, [first!, second!, ...AGENT])));
});

test("sparse_pointer: raised by an agent that jumps, rests and clicks twice, and asks it without blocking", () => {
  const jumps = [
    ...toPress([[1988, 317, 142, -633, -301]], 640),
    ...later(toPress([[2000, 330, 172, 13, 30]], 480), 2500),
  ];
  assert.equal(gradeIn(sparsePointer, withPointer(CHROME_VISITOR, jumps)), 1);
  const { score, flags } = assessVisit(withPointer(CHROME_VISITOR, jumps));
  assert.deepEqual(flags, ["no_approach", "sparse_pointer"]);
  assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
  const letGo = jumps.map(
    ([ms, x, y, kind, ...rest]): PointerSample => [
      kind === 2 || kind === 4 ? ms - 85 : ms,
      x,
      y,
      kind,
      ...rest,
    ],
  );
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, letGo)), "voice control");
});

test("sparse_pointer: silent on a single jump, on small corrections, on a drag and on a mouse that rests between", () => {
  const [jump, , there] = HOPS;
  assert.ok(
    !raises(sparsePointer, withMoves([jump!])),
    "voices and remote fingers jump in one step",
  );
  assert.ok(
    !raises(sparsePointer, withMoves([[1900, 520, 262], [2000, 552, 270, 32, 8], there!])),
    "a correction",
  );
  const atOnce = AGENT.map(([ms, ...rest]): PointerSample => [ms - (ms > 2600 ? 85 : 0), ...rest]);
  assert.ok(
    !raises(sparsePointer, withPointer(CHROME_VISITOR, atOnce)),
    "a voice over a grid, whose press is let go at once",
  );
  const quick = HOPS.map(([, ...rest], at): Moved => [1988 + 17 * at, ...rest]);
  assert.ok(
    !raises(sparsePointer, withMoves(quick)),
    "the end of a quick movement, of which the page saw no more",
  );
  assert.ok(
    !raises(sparsePointer, withMoves([jump!, [4990, 547, 267, 230, 125]])),
    "two jumps, three seconds apart",
  );
  const [from, over, to] = toPress(HOPS);
  const drag: PointerSample[] = [
    [1900, 317, 142, 1, 0, 0.5, 1, 0, 0],
    from!,
    over!,
    to!,
    [2500, 552, 270, 2, 0, 0, 1],
  ];
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, drag)), "a drag");
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, AGENT.slice(0, 3))), "no press");
});

test("sparse_pointer: silent on touch, pens, keys, phones and untrusted events, and on all honest visitors", () => {
  const touch = withEnvironment(withPointer(CHROME_VISITOR, toPress(HOPS, 215, 1)), {
    touchPoints: 10,
  });
  assert.ok(!raises(sparsePointer, touch));
  assert.ok(
    raises(sparsePointer, withPointer(CHROME_VISITOR, toPress(HOPS, 215, 1))),
    "a finger where there is no touch",
  );
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, toPress(HOPS, 215, 2))), "pen");
  assert.ok(!raises(sparsePointer, withPointer(findVisitor("Chrome on Android"), AGENT)), "phone");
  const untrusted = AGENT.map(([ms, x, y, kind, type, pressure, , ...rest]) => [
    ms,
    x,
    y,
    kind,
    type,
    pressure,
    0,
    ...rest,
  ]);
  assert.ok(!raises(sparsePointer, withPointer(CHROME_VISITOR, untrusted as never)), "untrusted");
  assert.ok(!raises(sparsePointer, withBehaviour(CHROME_VISITOR, { pointer: [] })));
  for (const { name, evidence } of HONEST_VISITORS)
    assert.ok(!raises(sparsePointer, evidence), name);
});
