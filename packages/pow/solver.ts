import { ALGORITHMS } from "./algorithms/algorithms.ts";
import type { PuzzleFunction } from "./algorithms/puzzle-function.ts";
import type { AlgorithmNumber } from "./algorithms/table.ts";
import { NONCES_PER_FUNCTION, nonceBound, seedFor, targetWords } from "./puzzle.ts";
import { sha256 } from "./sha256.ts";

/**
 * The puzzle of one challenge: its packed bytes, and the values next to them in the answer of D8
 * (challenge).
 */
export type Puzzle = {
  readonly challengeBytes: Uint8Array;
  /** SHA-256 of the environment signals exactly as they will be submitted (D9, submission). */
  readonly environmentDigest: Uint8Array;
  readonly algorithm: AlgorithmNumber;
  readonly k: number;
  readonly difficulty: number;
};

/**
 * A share of the nonces: worker i of n takes the functions i, i + n, i + 2n, ... so that no two
 * share a nonce.
 */
export type WorkerShare = { readonly workerIndex: number; readonly workerCount: number };

/** The result of one `search`. */
export type SearchStep = {
  /**
   * `searching`: call `search` again. `solved`: this worker alone has found k nonces. `exhausted`:
   * it has tried all its nonces and found fewer, but the workers together may have enough. After
   * the last two, `search` does nothing.
   */
  readonly state: "searching" | "solved" | "exhausted";
  /** The nonces found in this step, in ascending order. */
  readonly found: readonly number[];
  /** Nonces tried in this step, at most `maxNonces`. */
  readonly hashes: number;
};

/** A search in steps. It is synchronous, and a worker can receive "cancel" between two steps. */
export type Solver = { readonly search: (maxNonces: number) => SearchStep };

/** Prepares the search of one worker. Throws RangeError for an impossible puzzle or share. */
export function createSolver(puzzle: Puzzle & WorkerShare): Solver {
  const { challengeBytes, environmentDigest, algorithm, k, difficulty, workerIndex, workerCount } =
    puzzle;
  if (
    !Number.isInteger(workerIndex) ||
    !Number.isInteger(workerCount) ||
    workerIndex < 0 ||
    workerIndex >= workerCount
  ) {
    throw new RangeError(`no worker ${workerIndex} of ${workerCount}`);
  }
  const words = targetWords(k, difficulty);
  const bound = nonceBound(difficulty);
  let index = workerIndex;
  let input = 0;
  let current: PuzzleFunction | undefined;
  let foundInAll = 0;

  const search = (maxNonces: number): SearchStep => {
    const found: number[] = [];
    let hashes = 0;
    while (hashes < maxNonces && foundInAll < k && index * NONCES_PER_FUNCTION < bound) {
      const firstNonce = index * NONCES_PER_FUNCTION;
      const inputs = Math.min(NONCES_PER_FUNCTION, bound - firstNonce);
      current ??= ALGORITHMS[algorithm].createFunction(
        seedFor(sha256, challengeBytes, environmentDigest, index),
      );
      const to = Math.min(inputs, input + maxNonces - hashes);
      const hit = current.search(input, to, words);
      if (hit < to) {
        found.push(firstNonce + hit);
        foundInAll += 1;
      }
      const next = Math.min(hit + 1, to);
      hashes += next - input;
      input = next;
      if (input === inputs) {
        index += workerCount;
        input = 0;
        current = undefined;
      }
    }
    if (foundInAll >= k) return { state: "solved", found, hashes };
    return {
      state: index * NONCES_PER_FUNCTION < bound ? "searching" : "exhausted",
      found,
      hashes,
    };
  };

  return { search };
}

/** The wire form of a solution: each nonce as a little-endian u32, in the given order. */
export function packSolution(nonces: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * nonces.length));
  nonces.forEach((nonce, i) => {
    view.setUint32(4 * i, nonce, true);
  });
  return new Uint8Array(view.buffer);
}

/**
 * The solution from the nonces of all workers: the k smallest distinct ones, packed; `undefined`
 * while too few.
 */
export function mergeSolution(
  nonces: Iterable<number>,
  k: number,
): Uint8Array<ArrayBuffer> | undefined {
  const distinct = [...new Set(nonces)].sort((a, b) => a - b);
  return distinct.length < k ? undefined : packSolution(distinct.slice(0, k));
}
