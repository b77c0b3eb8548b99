import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { CHALLENGE_BYTES, type Challenge, packChallenge, unpackChallenge } from "@stile/pow/challenge";
import { type ChallengeTerms, createChallenge } from "../../domain/challenge.ts";
import type { ServiceSettings } from "../../domain/service-settings.ts";
import type { Site } from "../../domain/site.ts";
import type { Visitor } from "../../domain/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import { digestAction, digestAddress, digestUserAgent } from "./binding-digests.ts";
import { keyReference } from "./key-references.ts";

/** A challenge as it was handed in, its MAC verified. */
export type OpenChallenge = { readonly challenge: Challenge; readonly bytes: Uint8Array };

const CHALLENGE_ID_BYTES = 16;
const MAC_BYTES = 16;
const CHALLENGE_CHARACTERS = Math.ceil((CHALLENGE_BYTES * 4) / 3);

/** A challenge for this visitor, made now, and its signed text (D8). */
export function issueSignedChallenge(
  cryptography: Cryptography,
  settings: ServiceSettings,
  request: ChallengeTerms & { site: Site; actionName: string | undefined; visitor: Visitor; nowMs: number },
): { challenge: Challenge; text: string } {
  const { site, actionName, visitor, nowMs } = request;
  const keyId = cryptography.currentKeyId();
  const bindingKey = keyReference(keyId, "binding", nowMs);
  const binding = {
    keyId,
    actionDigest: digestAction(cryptography, bindingKey, actionName),
    userAgentDigest: digestUserAgent(cryptography, bindingKey, visitor.userAgent),
    ...digestAddress(cryptography, bindingKey, visitor.bindingAddress),
  };
  const id = cryptography.randomBytes(CHALLENGE_ID_BYTES);
  const challenge = createChallenge(site, settings, { ...request, binding, id });
  const bytes = packChallenge(challenge, (signedBytes) => macOf(cryptography, challenge, signedBytes));
  return { challenge, text: encodeBase64url(bytes) };
}

function macOf(cryptography: Cryptography, challenge: Challenge, signedBytes: Uint8Array): Uint8Array {
  const key = keyReference(challenge.keyId, "challenge", challenge.issuedAtMs);
  return cryptography.mac(key, signedBytes) ?? new Uint8Array(0);
}

/** Reads a challenge that this service signed, or undefined for anything else. Says nothing of its age. */
export function openChallenge(cryptography: Cryptography, text: string): OpenChallenge | undefined {
  if (text.length !== CHALLENGE_CHARACTERS) return undefined;
  const bytes = decodeBase64url(text);
  const unpacked = bytes && unpackChallenge(bytes);
  if (bytes === undefined || unpacked === undefined) return undefined;
  const expected = macOf(cryptography, unpacked.challenge, unpacked.signedBytes).subarray(0, MAC_BYTES);
  return cryptography.isEqual(expected, unpacked.mac) ? { challenge: unpacked.challenge, bytes } : undefined;
}
