import { isAlgorithmNumber } from "@stile/pow/algorithms/table";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { sha256 } from "@stile/pow/sha256";
import { solveInline } from "@stile/pow/solve-inline";
import type { SignInPuzzleData } from "@stile/protocol/dashboard-api";

/** A solved puzzle, in the form that a sign-in submits. */
export type SignInSolution = { readonly challenge: string; readonly solution: string };

/**
 * Does the work before a sign-in, in slices between which the page can react; undefined if it was
 * aborted. It runs in this thread: the policy of the pages lets no script start a worker. Loaded
 * when needed.
 */
export async function solvePuzzle(
  puzzle: SignInPuzzleData,
  signal: AbortSignal,
): Promise<SignInSolution | undefined> {
  const { challenge, algorithm, k, difficulty } = puzzle;
  const challengeBytes = decodeBase64url(challenge);
  if (challengeBytes === undefined || !isAlgorithmNumber(algorithm)) return undefined;
  const environmentDigest = sha256(new Uint8Array(0));
  const outcome = await solveInline({
    challengeBytes,
    environmentDigest,
    algorithm,
    k,
    difficulty,
    signal,
  });
  return outcome.kind === "solved"
    ? { challenge, solution: encodeBase64url(outcome.solutionBytes) }
    : undefined;
}
