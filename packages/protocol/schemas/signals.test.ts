import assert from "node:assert/strict";
import { test } from "node:test";
import { SIGNALS_VERSION } from "../signals.ts";
import { behaviourSignalsSchema } from "./signals.ts";

const EMPTY = { pointer: [], keys: [], focus: [], visibility: [], scroll: [], box: null, callers: [] } as const;
const reads = (changes: Record<string, unknown>): boolean =>
  behaviourSignalsSchema.safeParse({ v: SIGNALS_VERSION, durationMs: 9, solveMs: null, ...EMPTY, ...changes }).success;

const MOVE = [12.5, -3, 1e9, 0, 0, 0.5, 1, -1, 1, 65_535];

test("samples within their bounds are read, a press with seven numbers and a move with ten", () => {
  assert.ok(
    reads({
      pointer: [MOVE, MOVE.slice(0, 7), MOVE.slice(0, 9)],
      keys: [
        [0, 1],
        [1e9, 0],
      ],
    }),
  );
  assert.ok(
    reads({ pointer: Array.from({ length: 1024 }, () => MOVE), scroll: Array.from({ length: 512 }, () => [1, 1]) }),
  );
});

test("a sample that is too short, too long, out of bounds or no row of numbers makes the behaviour unreadable", () => {
  const withNumber = (at: number, value: unknown) => MOVE.map((number, index) => (index === at ? value : number));
  const bad: unknown[] = [
    ...[[], MOVE.slice(0, 6), [...MOVE, 0], null, {}, "1,2,3,4,5,6,7", { length: 7 }],
    ...[withNumber(0, -1), withNumber(1, 1.1e9), withNumber(3, 5), withNumber(3, 0.5), withNumber(4, 4)],
    ...[withNumber(5, 1.01), withNumber(6, 2), withNumber(9, 65_536), withNumber(9, 1.5)],
    ...[null, "1", true, [1], Number.NaN, Number.POSITIVE_INFINITY].map((value) => withNumber(1, value)),
  ];
  for (const sample of bad) assert.ok(!reads({ pointer: [MOVE, sample] }), JSON.stringify(sample));
  for (const toggle of [[1], [1, 2], [1, 0.5], [-1, 0], [1, 1, 1], 1, null]) {
    assert.ok(!reads({ keys: [toggle] }), JSON.stringify(toggle));
  }
});

test("more samples than a widget keeps, or no list at all, make the behaviour unreadable", () => {
  assert.ok(!reads({ pointer: Array.from({ length: 1025 }, () => MOVE) }));
  assert.ok(!reads({ focus: Array.from({ length: 513 }, () => [1, 1]) }));
  for (const value of [undefined, null, {}, "", 0]) assert.ok(!reads({ pointer: value, keys: value }));
});
