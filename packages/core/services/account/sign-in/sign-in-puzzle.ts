import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { Challenge } from "@stile/pow/challenge";
import { checkSolution } from "@stile/pow/checker";
import { difficultyFor, NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import type { Client } from "../../../domain/account/signed-in.ts";
import { challengeExpiresAtMs } from "../../../domain/challenge/challenge.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { CHALLENGE_ID_BYTES, openChallenge, toSignedText } from "../../challenge/sign-challenge.ts";
import { keyReference } from "../../visitor/key-reference.ts";
import { digestAddress } from "../../visitor/visitor-digests.ts";
import { failuresAround, isFirstSolution, isSpentPuzzle } from "./sign-in-limits.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "puzzleBase">;

/** A solved puzzle as the browser submits it. */
export type SolvedPuzzle = { readonly challenge: string; readonly solution: string };

/**
 * SHA-256, because the dashboard's pages may not compile the WebAssembly that the other algorithm
 * needs to be fast.
 */
const ALGORITHM = 2;
/** Fills the site of the challenge; no site has this key. */
const NO_SITE = `pk_${"0".repeat(22)}`;
/**
 * Shorter than solutions are remembered. A page that stays open longer asks for another puzzle
 * automatically.
 */
const LIFE_SECONDS = 600;
const NO_DIGEST = new Uint8Array(8);
/**
 * Numbers of wrong passwords in 15 minutes that double the work: for their network, and for
 * everybody.
 */
const FIRST_STEP = { ofNetwork: 8, inAll: 128 } as const;

/** 0 below the first step, then one more for each doubling. */
function stepsOf(failures: number, firstStep: number): number {
  return Math.floor(Math.log2(1 + failures / firstStep));
}

/**
 * The present difficulty. It grows with failures from the client's network, and with those from
 * everywhere.
 */
function difficultyNow(ports: Ports, client: Client): number {
  const { ofNetwork, inAll } = failuresAround(ports, client);
  return difficultyFor(
    ports.puzzleBase,
    stepsOf(ofNetwork, FIRST_STEP.ofNetwork) + stepsOf(inAll, FIRST_STEP.inAll),
  );
}

/**
 * A puzzle for this client's network, and its signed text. Nothing is stored until it comes back.
 */
export function issuePuzzle(ports: Ports, client: Client): { text: string; challenge: Challenge } {
  const { clock, cryptography } = ports;
  const [keyId, nowMs] = [cryptography.currentKeyId(), clock.nowMs()];
  const challenge: Challenge = {
    ...digestAddress(cryptography, keyReference(keyId, "binding", nowMs), client.address),
    keyId,
    algorithm: ALGORITHM,
    k: NONCES_PER_SOLUTION,
    difficulty: difficultyNow(ports, client),
    siteKey: NO_SITE,
    stage: "first",
    interaction: "none",
    isFallback: false,
    actionDigest: NO_DIGEST,
    userAgentDigest: NO_DIGEST,
    issuedAtMs: nowMs,
    lifeSeconds: LIFE_SECONDS,
    id: cryptography.randomBytes(CHALLENGE_ID_BYTES),
  };
  return { challenge, text: toSignedText(cryptography, "sign-in", challenge) };
}

/**
 * Whether the puzzle is unexpired, of the client's network, and not too easy by now: hoarding
 * puzzles is useless.
 */
function isForThisClient(ports: Ports, challenge: Challenge, client: Client): boolean {
  const { clock, cryptography } = ports;
  if (clock.nowMs() >= challengeExpiresAtMs(challenge)) return false;
  if (challenge.difficulty < difficultyNow(ports, client)) return false;
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const network = digestAddress(cryptography, key, client.address);
  if (network.addressFamily !== challenge.addressFamily) return false;
  return cryptography.isEqual(network.prefixDigest, challenge.prefixDigest);
}

/**
 * Whether the client solved a puzzle that was issued to it, and submits it for the first time. Uses
 * the puzzle up.
 */
export function hasWorked(ports: Ports, client: Client, solved: SolvedPuzzle | undefined): boolean {
  if (solved === undefined) return false;
  const { cryptography } = ports;
  const open = openChallenge(cryptography, solved.challenge, "sign-in");
  const solutionBytes = decodeBase64url(solved.solution);
  if (open === undefined || solutionBytes === undefined) return false;
  const puzzleId = encodeBase64url(open.challenge.id);
  if (!isForThisClient(ports, open.challenge, client) || isSpentPuzzle(ports, puzzleId))
    return false;
  const outcome = checkSolution({
    challengeBytes: open.bytes,
    challenge: open.challenge,
    environmentDigest: cryptography.digest(""),
    solutionBytes,
    sha256: (message) => cryptography.digest(message),
  });
  return outcome.kind === "accepted" && isFirstSolution(ports, puzzleId);
}
