import { isAlgorithmNumber } from "@stile/pow/algorithms/table";
import { decodeBase64url } from "@stile/pow/base64url";
import { isPuzzleSize } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import type { Puzzle } from "@stile/pow/solver";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";

/**
 * The request from the page to a solver, as received from the service (D8, challenge); the solver
 * makes a puzzle from it.
 */
export type SolveRequest = {
  /** base64url. */
  readonly challenge: string;
  /** The frozen environment bytes; the puzzle commits to their SHA-256. */
  readonly environment: Uint8Array;
  readonly algorithm: number;
  readonly k: number;
  readonly difficulty: number;
};

const MAX_CHALLENGE_CHARS = 1024;

type Unknown<T> = { readonly [K in keyof T]?: unknown };

/**
 * Turns any value into a puzzle that can be solved here; undefined for an unknown algorithm, an
 * impossible size, or foreign characters.
 */
export function toPuzzle(request: unknown): Puzzle | undefined {
  if (typeof request !== "object" || request === null) return undefined;
  const { challenge, environment, algorithm, k, difficulty }: Unknown<SolveRequest> = request;
  if (
    typeof challenge !== "string" ||
    challenge.length === 0 ||
    challenge.length > MAX_CHALLENGE_CHARS
  )
    return undefined;
  if (!(environment instanceof Uint8Array) || environment.length > SIGNALS_BYTES_LIMIT)
    return undefined;
  if (typeof algorithm !== "number" || !isAlgorithmNumber(algorithm)) return undefined;
  if (typeof k !== "number" || typeof difficulty !== "number" || !isPuzzleSize(k, difficulty))
    return undefined;
  const challengeBytes = decodeBase64url(challenge);
  if (challengeBytes === undefined) return undefined;
  return { challengeBytes, environmentDigest: sha256(environment), algorithm, k, difficulty };
}
