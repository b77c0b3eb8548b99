import assert from "node:assert/strict";
import { test } from "node:test";
import { readBatch } from "@stile/protocol/read-batch";
import type { BehaviourSignals, PointerSample, ToggleSample } from "@stile/protocol/signals";
import {
  CHROME_VISITOR,
  type HonestEvidence,
  withBehaviour,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { raises } from "@stile/testkit/visits/raises";
import { toldAt } from "@stile/testkit/visits/told-at";
import type { SolveEvidence } from "../evidence.ts";
import { visitOutOfTime } from "./visit-out-of-time.ts";

const move = (ms: number, x: number): PointerSample => [ms, x, 300, 0, 0, 0, 1, 2, 0, 1];
const press = (ms: number, x: number): PointerSample => [ms, x, 300, 1, 0, 0.5, 1, 3, 2];
const moves = (from: number, count: number, everyMs = 16): PointerSample[] =>
  Array.from({ length: count }, (_, at) => move(from + at * everyMs, at));
const typed = (from: number, count: number): ToggleSample[] =>
  Array.from({ length: count }, (_, at): ToggleSample => [from + at * 60, at % 2 === 0 ? 1 : 0]);

/** The page's report of that visit at that moment. */
const batchAt = (atMs: number, { behaviour }: HonestEvidence): SolveEvidence["witness"] =>
  readBatch(toldAt(atMs, behaviour)) ?? assert.fail("no batch");

const visit = (changes: Partial<BehaviourSignals>): HonestEvidence =>
  withBehaviour(CHROME_VISITOR, { pointer: [], keys: [], scroll: [], ...changes });
const isRaised = (
  it: HonestEvidence,
  witness: SolveEvidence["witness"],
  elapsedMs = 2_000,
): boolean =>
  raises(visitOutOfTime, { ...it, solve: { ...CHROME_VISITOR.solve!, elapsedMs, witness } });

const VISIT = visit({
  pointer: [...moves(400, 60), press(1_400, 59), ...moves(2_500, 30)],
  keys: typed(1_600, 12),
});

test("visit_out_of_time: silent on a visit that reports the same when it asks and when it submits", () => {
  for (const atMs of [0, 399, 400, 1_500, 2_200, 2_600, 4_200])
    assert.ok(!isRaised(VISIT, batchAt(atMs, VISIT)), `${atMs}`);
  for (const { name, evidence } of HONEST_VISITORS) {
    for (const atMs of [0, 1_000, 2_500])
      assert.ok(!isRaised(evidence, batchAt(atMs, evidence)), name);
  }
});

test("visit_out_of_time: silent if nothing was reported, and without a solve or signals", () => {
  assert.ok(!isRaised(VISIT, "none"));
  assert.ok(!raises(visitOutOfTime, { ...VISIT, solve: undefined }));
  assert.ok(!raises(visitOutOfTime, { ...VISIT, behaviour: "withheld" }));
});

test("visit_out_of_time: raised by a receipt that the service did not issue", () => {
  assert.ok(isRaised(VISIT, "forged"));
});

test("visit_out_of_time: raised by a past that changes between the reports: moved, left out, added, reordered", () => {
  const told = batchAt(2_200, VISIT);
  const { pointer, keys } = VISIT.behaviour;
  const others: Partial<BehaviourSignals>[] = [
    { pointer: pointer.map(([ms, x, ...rest]) => [ms, x + 1, ...rest] as PointerSample) },
    { pointer: pointer.map(([ms, ...rest]) => [ms + 30, ...rest] as PointerSample) },
    { pointer: pointer.filter(([, , , kind]) => kind !== 1) },
    { pointer: [] },
    { keys: [] },
    { keys: keys.map(([ms, isOn]): ToggleSample => [ms + 5, isOn]) },
    { pointer: pointer.toSpliced(61, 0, press(1_190, 400)) },
    { keys: keys.toSpliced(1, 0, [1_130, 0]), pointer },
    { pointer: pointer.map(([ms, , ...rest], at) => [ms, 60 - at, ...rest] as PointerSample) },
  ];
  const isLeftOut = (at: number): boolean =>
    !isRaised(withBehaviour(VISIT, others[at] ?? {}), told);
  assert.deepEqual(others.map((_, at) => at).filter(isLeftOut), []);
  assert.ok(
    isRaised(withBehaviour(VISIT, { keys: [[100, 1]] }), batchAt(1_900, visit({}))),
    "invented afterwards",
  );
});

test("visit_out_of_time: silent on a busy page that passes an event on some time after it", () => {
  const late = visit({ pointer: [...moves(400, 8), press(1_400, 9)] });
  assert.ok(!isRaised(late, batchAt(1_390, visit({ pointer: moves(400, 8) }))));
  assert.ok(
    !isRaised(late, {
      atMs: 2_000,
      pointer: moves(400, 8).map(([ms, x, y]) => `${ms}.${x}.${y}`),
      keys: [],
    }),
  );
});

test("visit_out_of_time: silent on a long visit that keeps only the newest samples of its beginning", () => {
  const long = visit({
    pointer: [...moves(400, 60), press(1_400, 59), ...moves(2_000, 176, 12)],
    keys: typed(500, 60),
  });
  const told = batchAt(1_500, long);
  const { pointer, keys } = long.behaviour;
  const kept = { pointer: [press(1_400, 59), ...pointer.slice(-176)], keys };
  assert.ok(!isRaised(withBehaviour(long, kept), told));
  const manyKeys = visit({ keys: typed(100, 200), durationMs: 13_000 });
  const { keys: all } = manyKeys.behaviour;
  assert.ok(
    !isRaised(withBehaviour(manyKeys, { keys: all.slice(-96) }), batchAt(1_000, manyKeys), 12_000),
  );
});

test("visit_out_of_time: raised by events in the future, and by more time than passed since the challenge", () => {
  assert.ok(isRaised(visit({ pointer: [press(5_300, 9)] }), "none"));
  assert.ok(isRaised(visit({ keys: [[5_300, 1]] }), "none"));
  assert.ok(!isRaised(visit({ pointer: [press(5_100, 9)] }), "none"), "clocks that are blurred");
  const told = { atMs: 1_000, pointer: [], keys: [] };
  assert.ok(isRaised(visit({ durationMs: 34_000 }), told));
  assert.ok(!isRaised(visit({ durationMs: 32_900 }), told), "asked again and again");
  assert.ok(!isRaised(visit({ durationMs: 2_000 }), told, 250_000), "a page that slept");
  assert.ok(isRaised(visit({ durationMs: 900 }), told), "told after it was handed in");
});

test("visit_out_of_time: alone asks for a press and does not block", () => {
  for (const { name, evidence } of HONEST_VISITORS) {
    const forged = { ...evidence, solve: { ...evidence.solve!, witness: "forged" as const } };
    const { score, flags } = assessVisit(forged);
    assert.ok(
      flags.includes("visit_out_of_time") && score >= 0.3 && score < 0.6,
      `${name}: ${score} ${flags}`,
    );
  }
});
