import { randomBytes } from "node:crypto";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { encodeBase64url } from "@stile/pow/base64url";
import { packChallenge } from "@stile/pow/challenge";
import { BASE_DIFFICULTY, NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";
import { createKeyRing } from "@stile/server/cryptography/key-ring";
import { createNodeCryptography } from "@stile/server/cryptography/node-cryptography";

const KEY_ID = 1;
const DIGEST_BYTES = 8;

/** The service's own cryptography, with a key made for this run. */
export function createBenchCryptography(): Cryptography {
  const ring = createKeyRing();
  ring.load(new Map([[KEY_ID, randomBytes(32)]]), KEY_ID);
  return createNodeCryptography(ring, { nowMs: () => Date.now() });
}

/** A challenge of algorithm 1 at base difficulty, base64url, signed as the service signs it. */
export function signChallenge(cryptography: Cryptography, issuedAtMs: number): string {
  const challenge = {
    algorithm: 1,
    keyId: KEY_ID,
    k: NONCES_PER_SOLUTION,
    difficulty: BASE_DIFFICULTY[1],
    siteKey: `pk_${"0".repeat(22)}`,
    stage: "first",
    interaction: "none",
    isFallback: false,
    actionDigest: cryptography.randomBytes(DIGEST_BYTES),
    userAgentDigest: cryptography.randomBytes(DIGEST_BYTES),
    addressFamily: 4,
    prefixDigest: cryptography.randomBytes(DIGEST_BYTES),
    issuedAtMs,
    lifeSeconds: CHALLENGE_LIFE_SECONDS,
    id: cryptography.randomBytes(16),
  } as const;
  const key = keyReference(KEY_ID, "challenge", issuedAtMs);
  return encodeBase64url(
    packChallenge(challenge, (bytes) => cryptography.mac(key, bytes) ?? new Uint8Array(0)),
  );
}
