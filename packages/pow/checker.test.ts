import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { ALGORITHM_NUMBERS, type AlgorithmNumber } from "./algorithms/table.ts";
import { type Challenge, packChallenge, unpackChallenge } from "./challenge.ts";
import { checkSolution, type SolutionToCheck } from "./checker.ts";
import { BASE_DIFFICULTY, nonceBound } from "./puzzle.ts";
import { createSolver, mergeSolution, packSolution } from "./solver.ts";

const native = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const macOf = (bytes: Uint8Array): Uint8Array =>
  createHmac("sha256", "a fixed key").update(bytes).digest();

let drawn = 0;
/**
 * Bytes that differ between calls but are the same in every run, so that no test depends on luck.
 */
const draw = (length: number): Uint8Array =>
  native(Uint8Array.of(drawn >> 8, drawn++ & 255)).slice(0, length);

const challengeOf = (algorithm: AlgorithmNumber, difficulty: number): Challenge => ({
  algorithm,
  keyId: 1,
  k: 16,
  difficulty,
  siteKey: "pk_0123456789ABCDEFabcdef",
  stage: "first",
  interaction: "none",
  isFallback: false,
  actionDigest: draw(8),
  userAgentDigest: draw(8),
  addressFamily: 6,
  prefixDigest: draw(8),
  issuedAtMs: 1_790_000_000_000,
  lifeSeconds: 300,
  id: draw(16),
});

/** Solves in turns as `workerCount` workers would, and submits their nonces together. */
function solve(challenge: Challenge, workerCount = 1): SolutionToCheck {
  const challengeBytes = packChallenge(challenge, macOf);
  const environmentDigest = draw(32);
  const { algorithm, k, difficulty } = challenge;
  const solvers = Array.from({ length: workerCount }, (_, workerIndex) =>
    createSolver({
      challengeBytes,
      environmentDigest,
      algorithm,
      k,
      difficulty,
      workerIndex,
      workerCount,
    }),
  );
  const nonces: number[] = [];
  for (;;) {
    const states = solvers.map((solver) => {
      const run = solver.search(1000);
      nonces.push(...run.found);
      return run.state;
    });
    const solutionBytes = mergeSolution(nonces, k);
    if (solutionBytes !== undefined) {
      return { challengeBytes, challenge, environmentDigest, solutionBytes, sha256: native };
    }
    assert.ok(states.includes("searching"), "all workers exhausted");
  }
}

const noncesOf = ({ solutionBytes }: SolutionToCheck): number[] =>
  Array.from({ length: solutionBytes.length / 4 }, (_, i) =>
    Buffer.from(solutionBytes).readUInt32LE(4 * i),
  );

const rejected = (reason: string, hashes: number) => ({ kind: "rejected", reason, hashes });

for (const algorithm of ALGORITHM_NUMBERS) {
  describe(`algorithm ${algorithm}`, () => {
    const SOLVED = solve(challengeOf(algorithm, 2 ** 14));
    const NONCES = noncesOf(SOLVED);
    const withNonces = (nonces: readonly number[]): SolutionToCheck => ({
      ...SOLVED,
      solutionBytes: packSolution(nonces),
    });

    test("accepts every solution of the solver, at every difficulty, with one to four workers", () => {
      for (const difficulty of [17, 100, 4096, 2 ** 13, 3 * 2 ** 15, BASE_DIFFICULTY[algorithm]]) {
        for (const workerCount of [1, 2, 3, 4]) {
          const handedIn = solve(challengeOf(algorithm, difficulty), workerCount);
          assert.deepEqual(
            checkSolution(handedIn),
            { kind: "accepted" },
            `D = ${difficulty}, ${workerCount} workers`,
          );
        }
      }
    });

    test("accepts a solution whose nonces lie in several functions", () => {
      const handedIn = solve(challengeOf(algorithm, 2 ** 17), 4);
      const functions = new Set(noncesOf(handedIn).map((nonce) => nonce >>> 16));
      assert.ok(functions.size > 1);
      assert.deepEqual(checkSolution(handedIn), { kind: "accepted" });
    });

    test("refuses every other length without hashing", () => {
      for (const length of [0, 1, 4, 60, 63, 65, 68, 128]) {
        const solutionBytes = new Uint8Array(length);
        solutionBytes.set(SOLVED.solutionBytes.subarray(0, length));
        assert.deepEqual(checkSolution({ ...SOLVED, solutionBytes }), rejected("length", 0));
      }
    });

    test("refuses any two nonces exchanged, without hashing", () => {
      for (let i = 1; i < 16; i++) {
        const nonces = [...NONCES];
        [nonces[i - 1], nonces[i]] = [NONCES[i] as number, NONCES[i - 1] as number];
        assert.deepEqual(checkSolution(withNonces(nonces)), rejected("order", 0));
      }
    });

    test("refuses a nonce submitted twice, so that sixteen cost the work for sixteen, without hashing", () => {
      for (let i = 1; i < 16; i++) {
        const nonces = [...NONCES];
        nonces[i] = NONCES[i - 1] as number;
        assert.deepEqual(checkSolution(withNonces(nonces)), rejected("order", 0));
      }
      assert.deepEqual(
        checkSolution(withNonces(NONCES.map(() => NONCES[0] as number))),
        rejected("order", 0),
      );
    });

    test("refuses a nonce at or beyond 8 D, without hashing, and hashes the one before it", () => {
      const bound = nonceBound(SOLVED.challenge.difficulty);
      for (const last of [bound, bound + 1, 2 ** 32 - 1]) {
        assert.deepEqual(
          checkSolution(withNonces([...NONCES.slice(0, 15), last])),
          rejected("range", 0),
        );
      }
      const atTheEdge = checkSolution(withNonces([...NONCES.slice(0, 15), bound - 1]));
      assert.ok(atTheEdge.kind === "accepted" || atTheEdge.reason === "work");
    });

    test("refuses one wrong nonce at any place, and stops hashing there", () => {
      const firstGap = (after: number): number =>
        NONCES.includes(after + 1) ? firstGap(after + 1) : after + 1;
      for (let i = 0; i < 16; i++) {
        // Off by one: between two neighbouring nonces of the solver, no nonce passes.
        const wrong = firstGap(NONCES[i] as number);
        const nonces = NONCES.filter((nonce) => nonce !== NONCES[i]).concat(wrong);
        nonces.sort((a, b) => a - b);
        assert.deepEqual(
          checkSolution(withNonces(nonces)),
          rejected("work", nonces.indexOf(wrong) + 1),
        );
      }
    });

    test("refuses guessed nonces", () => {
      const guessed = Array.from({ length: 16 }, (_, i) => 2000 * (i + 1));
      const outcome = checkSolution(withNonces(guessed));
      assert.equal(outcome.kind === "rejected" && outcome.reason, "work");
    });

    test("refuses the solution for other environment signals than those committed to", () => {
      const environmentDigest = Uint8Array.from(SOLVED.environmentDigest);
      environmentDigest[31] = (environmentDigest[31] as number) ^ 1;
      const outcome = checkSolution({ ...SOLVED, environmentDigest });
      assert.equal(outcome.kind === "rejected" && outcome.reason, "work");
    });

    test("refuses the solution of another challenge that differs only in its random id", () => {
      const other = { ...SOLVED.challenge, id: draw(16) };
      const outcome = checkSolution({
        ...SOLVED,
        challenge: other,
        challengeBytes: packChallenge(other, macOf),
      });
      assert.equal(outcome.kind === "rejected" && outcome.reason, "work");
    });

    test("refuses the solution of the same challenge with an easier difficulty written into its bytes", () => {
      const easier = { ...SOLVED.challenge, difficulty: 64 };
      const forgedBytes = packChallenge(easier, () => draw(32));
      const unpacked = unpackChallenge(forgedBytes);
      assert.ok(unpacked !== undefined);
      assert.notDeepEqual([...unpacked.mac], [...macOf(unpacked.signedBytes).subarray(0, 16)]);

      const { environmentDigest } = SOLVED;
      const run = createSolver({
        ...easier,
        challengeBytes: forgedBytes,
        environmentDigest,
        workerIndex: 0,
        workerCount: 1,
      }).search(1e9);
      const cheap = packSolution(run.found);
      const outcome = checkSolution({ ...SOLVED, solutionBytes: cheap });
      assert.ok(outcome.kind === "rejected" && outcome.reason !== "length");
    });

    test("checks against the challenge's difficulty: a solution for D is not enough for 32 D", () => {
      const harder = { ...SOLVED.challenge, difficulty: 32 * SOLVED.challenge.difficulty };
      const outcome = checkSolution({ ...SOLVED, challenge: harder });
      assert.equal(outcome.kind === "rejected" && outcome.reason, "work");
    });

    test("refuses the solution of the same challenge under another algorithm, written into its bytes or only claimed", () => {
      for (const other of ALGORITHM_NUMBERS.filter((number) => number !== algorithm)) {
        const claimed = { ...SOLVED.challenge, algorithm: other };
        const challengeBytes = packChallenge(claimed, macOf);
        for (const handedIn of [
          { ...SOLVED, challenge: claimed },
          { ...SOLVED, challenge: claimed, challengeBytes },
          { ...SOLVED, challengeBytes },
        ]) {
          const outcome = checkSolution(handedIn);
          assert.equal(outcome.kind === "rejected" && outcome.reason, "work");
        }
      }
    });

    test("reads a solution that is a view into a larger buffer", () => {
      const buffer = Buffer.concat([draw(3), SOLVED.solutionBytes, draw(3)]);
      assert.deepEqual(checkSolution({ ...SOLVED, solutionBytes: buffer.subarray(3, 67) }), {
        kind: "accepted",
      });
    });
  });
}
