import { hash } from "node:crypto";
import type { IssuedChallenge } from "@stile/core/services/challenge/issue-within-budget";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { encodeBase64url } from "@stile/pow/base64url";
import { packChallenge } from "@stile/pow/challenge";
import { nonceBound } from "@stile/pow/puzzle";
import { createSolver, packSolution } from "@stile/pow/solver";
import type { Ports } from "../service/process.ts";

/** Every other hash is one of the sixteen required. */
const EASY_DIFFICULTY = 32;

/** A challenge as it is submitted, with its solution. */
export type DoneWork = { readonly text: string; readonly solutionBytes: Uint8Array };

/**
 * Does the work of the challenge's twin, which is thousands of times easier, has the same id and is
 * signed with the service's own key: this tests use cases, not the work. Undefined if that key is
 * gone.
 */
export function doWork(
  { cryptography }: Ports,
  { challenge }: Pick<IssuedChallenge, "challenge">,
  environmentBytes: Uint8Array,
): DoneWork | undefined {
  const key = keyReference(challenge.keyId, "challenge", challenge.issuedAtMs);
  if (cryptography.mac(key, new Uint8Array(0)) === undefined) return undefined;
  const easier = { ...challenge, difficulty: EASY_DIFFICULTY };
  const challengeBytes = packChallenge(
    easier,
    (signed) => cryptography.mac(key, signed) ?? new Uint8Array(0),
  );
  const environmentDigest = hash("sha256", environmentBytes, "buffer");
  const { algorithm, k, difficulty } = easier;
  const puzzle = {
    challengeBytes,
    environmentDigest,
    algorithm,
    k,
    difficulty,
    workerIndex: 0,
    workerCount: 1,
  };
  const { found } = createSolver(puzzle).search(nonceBound(difficulty));
  return { text: encodeBase64url(challengeBytes), solutionBytes: packSolution(found) };
}
