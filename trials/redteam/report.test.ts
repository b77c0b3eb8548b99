import assert from "node:assert/strict";
import { test } from "node:test";
import { printReport, summarize, toRow, type Visit } from "./report.ts";

const visit = (changes: Partial<Visit>): Visit => ({
  tool: "tool",
  kind: "automation",
  score: 0.9,
  scoreWithoutModel: 0.9,
  tokenScore: undefined,
  cpuSeconds: 0.1,
  memoryBytes: 0,
  wallSeconds: 2,
  outcomes: ["blocked"],
  flags: [],
  botd: true,
  fault: undefined,
  ...changes,
});

test("counts visits without a score as not caught", () => {
  const row = toRow([
    visit({}),
    visit({ score: 0.6 }),
    visit({ score: 0.59 }),
    visit({ score: undefined }),
  ]);
  assert.equal(row.sessions, 4);
  assert.equal(row.scored, 3);
  assert.equal(row.share_060, 0.5);
});

test("shows the share that is not safe before the share that is refused, of all visits", () => {
  const scores = [0.9, 0.6, 0.59, 0.3, 0.29, undefined, 0.1, 0.2];
  const visits = scores.map((score) => visit({ score }));
  const row = toRow(visits);
  assert.deepEqual([row.share_030, row.share_060], [0.5, 0.25]);
  const printed = printReport([row], summarize(visits));
  assert.match(printed, />=0\.30 +>=0\.60/);
  assert.match(printed, / 50% +25% /);
  assert.match(printed, /automated sessions 8, >= 0\.30: 50\.0%, >= 0\.60: 25\.0%/);
});

test("counts automated visits that only the model of paths brings to a limit", () => {
  const summary = summarize([
    visit({ score: 0.9, scoreWithoutModel: 0.6 }),
    visit({ score: 0.9, scoreWithoutModel: 0.59 }),
    visit({ score: 0.51, scoreWithoutModel: 0.05 }),
    visit({ score: 0.3, scoreWithoutModel: 0.3 }),
    visit({ score: undefined, scoreWithoutModel: 0 }),
    visit({ kind: "control", score: 0.51, scoreWithoutModel: 0.05 }),
  ]);
  assert.deepEqual([summary.by_model_030, summary.by_model_060], [1, 1]);
});

test("shows the low tenth and the median of the scores", () => {
  const scores = [0.9, 0.1, 0.3, 0.5, 0.7, 0.2, 0.4, 0.6, 0.8, 1, 0];
  const row = toRow(scores.map((score) => visit({ score })));
  assert.equal(row.p10, 0.1);
  assert.equal(row.p50, 0.5);
});

test("lists flags with the number of visits that raised them, the most frequent first", () => {
  const row = toRow([visit({ flags: ["rare", "usual"] }), visit({ flags: ["usual"] })]);
  assert.deepEqual(row.flags, [
    ["usual", 2],
    ["rare", 1],
  ]);
  assert.match(printReport([row], summarize([])), /usual, rare \(1\)/);
});

test("separates programs, people and neither in the closing figures", () => {
  const visits = [
    visit({}),
    visit({ score: 0.59 }),
    visit({ score: undefined, botd: undefined }),
    visit({ kind: "control", score: 0.3, botd: true }),
    visit({ kind: "control", score: 0.29, botd: false }),
    visit({ kind: "beside", score: 1 }),
  ];
  assert.deepEqual(summarize(visits), {
    automated: 3,
    automated_030: 2,
    automated_060: 1,
    by_model_030: 0,
    by_model_060: 0,
    controls: 2,
    controls_030: 1,
    unscored: 1,
    botd_caught: 2,
    botd_asked: 2,
    botd_controls: 1,
  });
});

test("names a person who was never scored", () => {
  const visits = [visit({ kind: "control", score: undefined })];
  const printed = printReport([toRow(visits)], summarize(visits));
  assert.match(printed, /without a score: 1/);
  assert.match(printed, / 0\/1 -/);
});

test("counts a token as safe below 0.30, and divides the cost of all visits of its tool among them", () => {
  const visits = [0.05, 0.29, 0.3, undefined].map((tokenScore) =>
    visit({ tokenScore, cpuSeconds: 0.5 }),
  );
  assert.deepEqual([toRow(visits).accepted, toRow(visits).cpu_per_accepted], [2, 1]);
  assert.equal(toRow(visits).wall_per_accepted, 4);
});

test("counts the tokens below 0.60 as accepted by our sample code, and divides the cost of all visits among them", () => {
  const visits = [0.05, 0.3, 0.59, 0.6, undefined].map((tokenScore) =>
    visit({ tokenScore, cpuSeconds: 0.6 }),
  );
  const row = toRow(visits);
  assert.deepEqual([row.sample_accepted, row.cpu_per_sample_accepted], [3, 1]);
});

test("gives no cost per token if none is safe; a thousand cost a thousand times as much, at 2 cents an hour", () => {
  const none = toRow([visit({ tokenScore: 0.3, cpuSeconds: 1 })]);
  assert.deepEqual(
    [none.cpu_per_accepted, none.tokens_per_core_hour, none.dollars_per_1000],
    [null, null, null],
  );
  const row = toRow([visit({ tokenScore: 0.1, cpuSeconds: 1.8, memoryBytes: 250e6 })]);
  assert.deepEqual([row.cpu_per_accepted, row.dollars_per_1000, row.memory_mb], [1.8, 0.01, 250]);
  assert.equal(row.tokens_per_core_hour, 2000);
  assert.match(
    printReport([row], summarize([])),
    / 1\.80 {7}1 {3}1\.80 {5}2000 {2}0\.0100 {4}2\.00 {3}250 /,
  );
});
