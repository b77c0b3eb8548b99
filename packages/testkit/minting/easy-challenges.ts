import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { giveReceipt, type ReceiptedBatch } from "@stile/core/services/challenge/receipt";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import {
  digestAction,
  digestAddress,
  digestUserAgent,
} from "@stile/core/services/visitor/visitor-digests";
import { ALGORITHMS } from "@stile/pow/algorithms/algorithms";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { encodeBase64url } from "@stile/pow/base64url";
import { packChallenge } from "@stile/pow/challenge";
import { NONCES_PER_SOLUTION, nonceBound, seedFor, targetWords } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import { packSolution } from "@stile/pow/solver";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";

/** The visitor of an easy challenge. */
export type EasyChallengeRequest = {
  readonly cryptography: Cryptography;
  readonly siteKey: string;
  readonly userAgent: string;
  readonly address: string;
  readonly actionName?: string;
  readonly nowMs: number;
  /** HashWX by default, as in the service; SHA-256 is three times faster to solve here. */
  readonly algorithm?: AlgorithmNumber;
  /** Whether it is a second challenge, which asks for a click; by default it is a first one. */
  readonly asksForClick?: boolean;
};

/**
 * A challenge signed with the service's own keys, but far easier than those it issues: about 32
 * hashes.
 */
export type EasyChallenge = {
  readonly text: string;
  /** The solution over these environment bytes, base64url. */
  readonly solve: (environmentBytes: Uint8Array) => string;
  /** The batch with the receipt that came with the challenge (D9, submission). */
  readonly earlier: (batch: string) => ReceiptedBatch;
};

const HASHWX = 1;
/**
 * Two hashes per nonce: finding them is most of the cost, and guessing all of them still succeeds
 * once in 65,536 tries.
 */
const EASY_DIFFICULTY = 32;
const ID_BYTES = 16;

/**
 * The first nonces that solve the puzzle, tried one after another as a checker does. All of them
 * are inputs of one function, and compiling it, as a search would first do, takes ten times as long
 * as these few hashes.
 */
function findNonces(
  algorithm: AlgorithmNumber,
  challengeBytes: Uint8Array,
  environmentBytes: Uint8Array,
): number[] {
  const seed = seedFor(sha256, challengeBytes, sha256(environmentBytes), 0);
  const { isBelow } = ALGORITHMS[algorithm].createFunction(seed);
  const words = targetWords(NONCES_PER_SOLUTION, EASY_DIFFICULTY);
  const found: number[] = [];
  for (
    let nonce = 0;
    found.length < NONCES_PER_SOLUTION && nonce < nonceBound(EASY_DIFFICULTY);
    nonce++
  ) {
    if (isBelow(nonce, words)) found.push(nonce);
  }
  return found;
}

/**
 * Makes one, so that tests can submit thousands of correct solutions; doing the real work would
 * take minutes.
 */
export function mintEasyChallenge(request: EasyChallengeRequest): EasyChallenge {
  const {
    cryptography,
    siteKey,
    userAgent,
    address,
    actionName,
    nowMs,
    algorithm = HASHWX,
    asksForClick = false,
  } = request;
  const kind = { algorithm, k: NONCES_PER_SOLUTION, difficulty: EASY_DIFFICULTY };
  const keyId = cryptography.currentKeyId();
  const bindingKey = keyReference(keyId, "binding", nowMs);
  const challenge = {
    ...kind,
    keyId,
    siteKey,
    stage: asksForClick ? "stepped_up" : "first",
    interaction: asksForClick ? "click" : "none",
    isFallback: false,
    actionDigest: digestAction(cryptography, bindingKey, actionName),
    userAgentDigest: digestUserAgent(cryptography, bindingKey, userAgent),
    ...digestAddress(cryptography, bindingKey, parseIpAddress(address)),
    issuedAtMs: nowMs,
    lifeSeconds: CHALLENGE_LIFE_SECONDS,
    id: cryptography.randomBytes(ID_BYTES),
  } as const;
  const key = keyReference(keyId, "challenge", nowMs);
  const challengeBytes = packChallenge(
    challenge,
    (signed) => cryptography.mac(key, signed) ?? new Uint8Array(0),
  );
  return {
    text: encodeBase64url(challengeBytes),
    solve: (environmentBytes) =>
      encodeBase64url(packSolution(findNonces(algorithm, challengeBytes, environmentBytes))),
    earlier: (batch) => ({ batch, receipt: giveReceipt(cryptography, challenge, batch) }),
  };
}
