import { ALGORITHMS } from "../algorithms/algorithms.ts";
import { ALGORITHM_NUMBERS, type AlgorithmNumber } from "../algorithms/table.ts";
import { type Challenge, packChallenge } from "../challenge.ts";
import { checkSolution, type SolutionToCheck } from "../checker.ts";
import { generatePrograms } from "../hashwx/program.ts";
import { emitSearchModule } from "../hashwx/search-module.ts";
import { seedWordsOf } from "../hashwx/seed-words.ts";
import { instantiate, type SearchExports } from "../hashwx/webassembly.ts";
import {
  BASE_DIFFICULTY,
  NONCES_PER_FUNCTION,
  NONCES_PER_SOLUTION,
  seedFor,
  targetWords,
} from "../puzzle.ts";
import { sha256 } from "../sha256.ts";
import { packSolution } from "../solver.ts";

// Measures what a check costs the server, and the first steps of a solver, in microseconds: `node
// packages/pow/measure/check-cost.ts`. It uses our own SHA-256; a server passes the native one.

const ROUNDS = 400;
const SAMPLES = 24;

const challengeOf = (algorithm: AlgorithmNumber, number: number): Challenge => ({
  algorithm,
  keyId: number,
  k: NONCES_PER_SOLUTION,
  difficulty: BASE_DIFFICULTY[algorithm],
  siteKey: `pk_${"0".repeat(22)}`,
  stage: "first",
  interaction: "none",
  isFallback: false,
  actionDigest: new Uint8Array(8),
  userAgentDigest: new Uint8Array(8),
  addressFamily: 0,
  prefixDigest: new Uint8Array(8),
  issuedAtMs: 0,
  lifeSeconds: 300,
  id: new Uint8Array(16),
});

/**
 * A solution with nonces spread evenly over `functions` functions: the more functions, the more a
 * check costs.
 */
function solve(algorithm: AlgorithmNumber, number: number, functions: number): SolutionToCheck {
  const challenge = challengeOf(algorithm, number);
  const challengeBytes = packChallenge(challenge, sha256);
  const environmentDigest = new Uint8Array(32);
  const target = targetWords(challenge.k, challenge.difficulty);
  const nonces: number[] = [];
  for (let index = 0; nonces.length < challenge.k; index++) {
    const { search } = ALGORITHMS[algorithm].createFunction(
      seedFor(sha256, challengeBytes, environmentDigest, index),
    );
    const wanted = Math.ceil((challenge.k * (index + 1)) / functions);
    for (let from = 0; nonces.length < Math.min(wanted, challenge.k); ) {
      const hit = search(from, NONCES_PER_FUNCTION, target);
      if (hit === NONCES_PER_FUNCTION) break;
      nonces.push(index * NONCES_PER_FUNCTION + hit);
      from = hit + 1;
    }
  }
  return {
    challengeBytes,
    challenge,
    environmentDigest,
    solutionBytes: packSolution(nonces),
    sha256,
  };
}

/** Best and median time of one call in microseconds; the calls take the samples in turn. */
function time<T>(samples: readonly T[], call: (sample: T) => void): string {
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const startMs = performance.now();
    call(samples[round % samples.length] as T);
    return 1000 * (performance.now() - startMs);
  }).sort((a, b) => a - b);
  return `${(times[0] as number).toFixed(1)} best, ${(times[ROUNDS / 2] as number).toFixed(1)} median`;
}

const samplesOf = <T>(make: (number: number) => T): T[] =>
  Array.from({ length: SAMPLES }, (_, number) => make(number));

for (const algorithm of ALGORITHM_NUMBERS) {
  for (const functions of [2, 4, 8, 16]) {
    const solved = samplesOf((number) => solve(algorithm, number, functions));
    console.log(
      `algorithm ${algorithm}, accept over ${functions} functions: ${time(solved, checkSolution)}`,
    );
  }
  const wrong = samplesOf((number) => ({
    ...solve(algorithm, number, 2),
    solutionBytes: packSolution(
      Array.from({ length: NONCES_PER_SOLUTION }, (_, i) => i * NONCES_PER_FUNCTION),
    ),
  }));
  console.log(`algorithm ${algorithm}, reject at the first nonce: ${time(wrong, checkSolution)}`);
}

const words = samplesOf((number) => seedWordsOf(new Uint8Array(32).fill(number)));
const tables = words.map(generatePrograms);
console.log(`generate programs: ${time(words, generatePrograms)}`);
console.log(`emit a search module: ${time(tables, emitSearchModule)}`);
console.log(
  `emit, compile, start and first hash: ${time(tables, (table) => instantiate<SearchExports>(emitSearchModule(table))?.exports.hash(0n, 0n, 0n))}`,
);
