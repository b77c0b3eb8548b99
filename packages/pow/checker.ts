import { ALGORITHMS } from "./algorithms/algorithms.ts";
import type { PuzzleFunction } from "./algorithms/puzzle-function.ts";
import type { Challenge } from "./challenge.ts";
import { NONCES_PER_FUNCTION, nonceBound, type Sha256, seedFor, targetWords } from "./puzzle.ts";

/** Why a solution is refused, cheapest reason first; a client is told none of it (D9). */
export type RejectionReason = "length" | "order" | "range" | "work";

/** Whether the work was done; `hashes` is what finding out cost, 0 unless the reason is `work`. */
export type CheckOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly reason: RejectionReason; readonly hashes: number };

/** A handed-in solution beside the challenge that it claims to solve. */
export type SolutionToCheck = {
  /** The packed challenge with its MAC, as handed in. */
  readonly challengeBytes: Uint8Array;
  /** The same challenge unpacked, **its MAC verified**: a forged one could name a difficulty of its own. */
  readonly challenge: Challenge;
  /** SHA-256, 32 bytes, of the environment signals as handed in. */
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
  // The last is the greatest.
  if (solution.getUint32(solution.byteLength - 4, true) >= nonceBound(challenge.difficulty)) return "range";
  return undefined;
}

/** Judges a solution, hashing only what is well formed and no further than the first nonce that fails. */
export function checkSolution(handedIn: SolutionToCheck): CheckOutcome {
  const { challengeBytes, challenge, environmentDigest, solutionBytes, sha256 } = handedIn;
  const solution = new DataView(solutionBytes.buffer, solutionBytes.byteOffset, solutionBytes.byteLength);
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
