import { decodeBase64url } from "@stile/pow/base64url";
import { BASE_DIFFICULTY, MAX_DIFFICULTY, NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import type { Puzzle } from "@stile/pow/solver";

/** Replaces the environment signals in every puzzle of the bench. */
const ENVIRONMENT_DIGEST = sha256(new TextEncoder().encode("{}"));

function toPuzzle(challengeText: string, difficulty: number): Puzzle {
  const challengeBytes = decodeBase64url(challengeText);
  if (challengeBytes === undefined) throw new RangeError("a challenge is base64url");
  return {
    challengeBytes,
    environmentDigest: ENVIRONMENT_DIGEST,
    algorithm: 1,
    k: NONCES_PER_SOLUTION,
    difficulty,
  };
}

/** The puzzle of a challenge at base difficulty, algorithm 1, as a visitor solves it. */
export const toBasePuzzle = (challengeText: string): Puzzle =>
  toPuzzle(challengeText, BASE_DIFFICULTY[1]);

/**
 * The same with a target that almost no hash meets: a measurement of the rate should find nothing
 * to report.
 */
export const toRatePuzzle = (challengeText: string): Puzzle =>
  toPuzzle(challengeText, MAX_DIFFICULTY);
