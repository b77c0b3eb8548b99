import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ALGORITHM_NUMBERS, type AlgorithmNumber } from "./algorithms/table.ts";
import { interpretedHash } from "./hashwx/fixtures/vectors.ts";
import { NONCES_PER_FUNCTION, target } from "./puzzle.ts";
import { createSolver, mergeSolution, type Puzzle, packSolution } from "./solver.ts";

const native = (...parts: Uint8Array[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/**
 * `H` of a seed from other code: HashWX's interpreter, which yields the published vectors, and the
 * native SHA-256.
 */
const REFERENCE: Record<AlgorithmNumber, (seed: Uint8Array) => (input: number) => bigint> = {
  1: (seed) => {
    const hash = interpretedHash(seed);
    return (input) => hash(BigInt(input));
  },
  2: (seed) => (input) => native(seed, u32(input)).readBigUInt64LE(),
};

/** The reference page's definition of a hit, written a second time. */
const passes = (puzzle: Puzzle, nonce: number): boolean => {
  const seed = native(
    Buffer.from("stile/pow/1"),
    puzzle.challengeBytes,
    puzzle.environmentDigest,
    u32(Math.floor(nonce / 65_536)),
  );
  return REFERENCE[puzzle.algorithm](seed)(nonce % 65_536) < target(puzzle.k, puzzle.difficulty);
};

const VECTOR: Puzzle = {
  challengeBytes: Uint8Array.from({ length: 99 }, (_, i) => i),
  environmentDigest: native(Buffer.from("environment")),
  algorithm: 2,
  k: 16,
  difficulty: 2048,
};

/**
 * Those of algorithm 1 were computed with the interpreter alone, those of 2 with Python's hashlib.
 */
const NONCES_OF: Record<AlgorithmNumber, readonly number[]> = {
  1: [6, 91, 170, 175, 228, 430, 530, 591, 873, 996, 1224, 1278, 1327, 1392, 1454, 1471],
  2: [24, 93, 262, 404, 1053, 1081, 1089, 1162, 1194, 1351, 1463, 1525, 1747, 2131, 2418, 2422],
};
const VECTOR_NONCES = NONCES_OF[VECTOR.algorithm];

const runAll = (puzzle: Puzzle, workerIndex: number, workerCount: number, step: number) => {
  const solver = createSolver({ ...puzzle, workerIndex, workerCount });
  const nonces: number[] = [];
  let hashes = 0;
  for (;;) {
    const run = solver.search(step);
    assert.ok(run.hashes <= step);
    nonces.push(...run.found);
    hashes += run.hashes;
    if (run.state !== "searching") return { state: run.state, nonces, hashes, solver };
  }
};

test("finds the sixteen nonces of the committed vectors, and no nonce between them", () => {
  for (const algorithm of ALGORITHM_NUMBERS) {
    const { state, nonces, hashes } = runAll({ ...VECTOR, algorithm }, 0, 1, 1000);
    assert.equal(state, "solved");
    assert.deepEqual(nonces, NONCES_OF[algorithm]);
    assert.equal(hashes, Math.max(...nonces) + 1);
  }
});

test("finds the same nonces however its work is sliced", () => {
  for (const algorithm of ALGORITHM_NUMBERS) {
    for (const step of [1, 7, 256, 65_536, 1e9]) {
      assert.deepEqual(runAll({ ...VECTOR, algorithm }, 0, 1, step).nonces, NONCES_OF[algorithm]);
    }
  }
});

test("tries exactly the allowed number of nonces, and none after the end", () => {
  const solver = createSolver({ ...VECTOR, workerIndex: 0, workerCount: 1 });
  assert.deepEqual(solver.search(25), { state: "searching", found: [24], hashes: 25 });
  assert.deepEqual(solver.search(68), { state: "searching", found: [], hashes: 68 });
  assert.deepEqual(solver.search(1), { state: "searching", found: [93], hashes: 1 });
  assert.deepEqual(solver.search(0), { state: "searching", found: [], hashes: 0 });
  assert.deepEqual(solver.search(1e9), {
    state: "solved",
    found: VECTOR_NONCES.slice(2),
    hashes: 2423 - 94,
  });
  assert.deepEqual(solver.search(1e9), { state: "solved", found: [], hashes: 0 });
});

test("continues with a new function every 65,536 nonces, and finds only nonces that pass by definition", () => {
  for (const algorithm of ALGORITHM_NUMBERS) {
    const puzzle = { ...VECTOR, algorithm, k: 255, difficulty: 2 ** 17 };
    const { nonces } = runAll(puzzle, 0, 1, 10_000);
    assert.ok(Math.max(...nonces) > NONCES_PER_FUNCTION);
    for (const nonce of nonces)
      assert.ok(passes(puzzle, nonce), `algorithm ${algorithm}, nonce ${nonce}`);
  }
});

/**
 * Too many workers for one to find k alone: 13 functions, the last one short, and a fourteenth
 * worker without any.
 */
const SPREAD: Puzzle = { ...VECTOR, k: 255, difficulty: 100_000 };

test("a worker that cannot find k returns `exhausted` after each of its nonces and not one more", () => {
  const ends = Array.from({ length: 14 }, (_, workerIndex) =>
    runAll(SPREAD, workerIndex, 14, 4096),
  );
  assert.deepEqual([...new Set(ends.map(({ state }) => state))], ["exhausted"]);
  const widths = ends.map(({ hashes }) => hashes);
  assert.deepEqual(widths, [...new Array(12).fill(65_536), 800_000 - 12 * 65_536, 0]);
  for (const { solver } of ends)
    assert.deepEqual(solver.search(10), { state: "exhausted", found: [], hashes: 0 });
});

test("the workers share the functions: together they find the nonces of one alone, none of them twice", () => {
  const alone = runAll(SPREAD, 0, 1, 1e9).nonces;
  const together = Array.from(
    { length: 14 },
    (_, workerIndex) => runAll(SPREAD, workerIndex, 14, 1e9).nonces,
  ).flat();
  assert.equal(new Set(together).size, together.length);
  assert.deepEqual(mergeSolution(together, 255), packSolution(alone));
  for (const nonce of together.filter((_, i) => i % 20 === 0)) assert.ok(passes(SPREAD, nonce));
});

test("worker i of n uses only the functions i, i + n, i + 2n, ...", () => {
  for (const workerCount of [2, 3, 4]) {
    for (let workerIndex = 0; workerIndex < workerCount; workerIndex++) {
      const functions = runAll(SPREAD, workerIndex, workerCount, 1e9).nonces.map((nonce) =>
        Math.floor(nonce / NONCES_PER_FUNCTION),
      );
      assert.deepEqual([...new Set(functions.map((index) => index % workerCount))], [workerIndex]);
      assert.equal(functions[0], workerIndex);
    }
  }
});

test("merging keeps the k smallest distinct nonces of all workers, sorted as numbers, as little-endian u32", () => {
  const merged = mergeSolution([300, 5, 1_000_000, 5, 70_000, 9, 300], 4);
  assert.ok(merged !== undefined);
  assert.deepEqual(merged, packSolution([5, 9, 300, 70_000]));
  assert.equal(Buffer.from(merged).toString("hex"), "05000000090000002c01000070110100");
  assert.deepEqual(packSolution([2 ** 32 - 1]), new Uint8Array(4).fill(0xff));
});

test("merging returns nothing while distinct nonces are missing", () => {
  assert.equal(mergeSolution([], 1), undefined);
  assert.equal(mergeSolution([1, 1, 1, 2], 3), undefined);
});

test("throws for an impossible share or puzzle", () => {
  for (const [workerIndex, workerCount] of [
    [1, 1],
    [-1, 2],
    [0, 0],
    [0.5, 2],
    [0, Number.NaN],
  ] as const) {
    assert.throws(() => createSolver({ ...VECTOR, workerIndex, workerCount }), RangeError);
  }
  for (const difficulty of [0, 16, 2 ** 30, Number.NaN]) {
    assert.throws(
      () => createSolver({ ...VECTOR, difficulty, workerIndex: 0, workerCount: 1 }),
      RangeError,
    );
  }
});
