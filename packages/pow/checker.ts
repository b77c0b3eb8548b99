import { ALGORITHMS } from "./algorithms/algorithms.ts";
import type { PuzzleFunction } from "./algorithms/puzzle-function.ts";
import type { Challenge } from "./challenge.ts";
import { NONCES_PER_FUNCTION, nonceBound, type Sha256, seedFor, targetWords } from "./puzzle.ts";

/**
 * Why a solution is refused, with the cheapest check first. The client never learns the reason (D9,
 * submission).
 */
export type RejectionReason = "length" | "order" | "range" | "work";

/** Whether the work was done. `hashes` is the cost of the check: 0 unless the reason is `work`. */
export type CheckOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly reason: RejectionReason; readonly hashes: number };

/** A submitted solution, and the challenge that it claims to solve. */
export type SolutionToCheck = {
  /** The packed challenge with its MAC, as it was submitted. */
  readonly challengeBytes: Uint8Array;
  /**
   * The same challenge unpacked, **after its MAC was verified**: a forged challenge could name its
   * own difficulty.
   */
  readonly challenge: Challenge;
  /** SHA-256 (32 bytes) of the environment signals as they were submitted. */
  readonly environmentDigest: Uint8Array;
  readonly solutionBytes: Uint8Array;
  readonly sha256: Sha256;
};

/** Why the nonces cannot be a solution, whatever they hash to. */
function findMalformation(solution: DataView, challenge: Challenge): RejectionReason | undefined {
  if (solution.byteLength !== 4 * challenge.k) return "length";
  for (let at = 4; at < solution.byteLength; at += 4) {
    if (solution.getUint32(at, true) <= solution.getUint32(at - 4, true)) return "order";
  }
  // The nonces are in ascending order, so only the last one has to be compared.
  if (solution.getUint32(solution.byteLength - 4, true) >= nonceBound(challenge.difficulty))
    return "range";
  return undefined;
}

/** Checks a solution. It hashes only a well-formed one, and stops at the first nonce that fails. */
export function checkSolution(handedIn: SolutionToCheck): CheckOutcome {
  const { challengeBytes, challenge, environmentDigest, solutionBytes, sha256 } = handedIn;
  const solution = new DataView(
    solutionBytes.buffer,
    solutionBytes.byteOffset,
    solutionBytes.byteLength,
  );
  const malformation = findMalformation(solution, challenge);
  if (malformation !== undefined) return { kind: "rejected", reason: malformation, hashes: 0 };
  const words = targetWords(challenge.k, challenge.difficulty);
  let index = -1;
  let current: PuzzleFunction | undefined;
  for (let i = 0; i < challenge.k; i++) {
    const nonce = solution.getUint32(4 * i, true);
    const indexOfNonce = Math.floor(nonce / NONCES_PER_FUNCTION);
    if (current === undefined || indexOfNonce !== index) {
      index = indexOfNonce;
      current = ALGORITHMS[challenge.algorithm].createFunction(
        seedFor(sha256, challengeBytes, environmentDigest, index),
      );
    }
    if (!current.isBelow(nonce % NONCES_PER_FUNCTION, words))
      return { kind: "rejected", reason: "work", hashes: i + 1 };
  }
  return { kind: "accepted" };
}
