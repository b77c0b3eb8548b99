import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { ALGORITHM_NUMBERS } from "./algorithms/table.ts";
import { solveInline } from "./solve-inline.ts";
import { createSolver, type Puzzle, packSolution } from "./solver.ts";

const puzzleOf = (difficulty: number, k = 16): Puzzle => ({
  challengeBytes: randomBytes(99),
  environmentDigest: randomBytes(32),
  algorithm: 2,
  k,
  difficulty,
});

test("finds the solution that the synchronous solver finds, for the same number of hashes, by every algorithm", async () => {
  for (const algorithm of ALGORITHM_NUMBERS) {
    const puzzle = { ...puzzleOf(2 ** 15), algorithm };
    const expected = createSolver({ ...puzzle, workerIndex: 0, workerCount: 1 }).search(1e9);
    assert.deepEqual(await solveInline(puzzle), {
      kind: "solved",
      solutionBytes: packSolution(expected.found),
      hashes: expected.hashes,
    });
  }
});

test("reports progress as a number that rises to k", async () => {
  const progress: number[] = [];
  const outcome = await solveInline({
    ...puzzleOf(2 ** 14),
    onProgress: (found) => progress.push(found),
  });
  assert.equal(outcome.kind, "solved");
  assert.equal(progress.at(-1), 16);
  assert.deepEqual(
    progress,
    [...new Set(progress)].sort((a, b) => a - b),
  );
  assert.ok(progress.length > 1);
});

test("lets the event loop turn while it works", async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const outcome = await solveInline(puzzleOf(2 ** 18));
  clearInterval(timer);
  assert.equal(outcome.kind, "solved");
  assert.ok(turns > 0);
});

test("stops in the middle when it is aborted, and returns that as a value", async () => {
  const controller = new AbortController();
  const outcome = await solveInline({
    ...puzzleOf(2 ** 24, 255),
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  assert.equal(outcome.kind, "aborted");
  assert.ok(outcome.hashes > 0 && outcome.hashes < 2 ** 23);
});

test("does no work for a signal that is aborted already", async () => {
  const outcome = await solveInline({ ...puzzleOf(2 ** 20), signal: AbortSignal.abort() });
  assert.deepEqual(outcome, { kind: "aborted", hashes: 0 });
});
