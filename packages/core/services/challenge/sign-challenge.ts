import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import {
  CHALLENGE_BYTES,
  type Challenge,
  packChallenge,
  unpackChallenge,
} from "@stile/pow/challenge";
import {
  type ChallengeBinding,
  type ChallengeTerms,
  createChallenge,
} from "../../domain/challenge/challenge.ts";
import type { ServiceSettings } from "../../domain/service-settings.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography, KeyPurpose } from "../../ports/cryptography.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAction, digestAddress, digestUserAgent } from "../visitor/visitor-digests.ts";

/** A challenge as submitted, after its MAC was verified. */
export type OpenChallenge = { readonly challenge: Challenge; readonly bytes: Uint8Array };

/**
 * The audience of a challenge: a site's visitors, those of them who wait without JavaScript (D18,
 * no JavaScript), or people who sign in to the dashboard. A challenge for one use is not valid for
 * another.
 */
export type ChallengeUse = Extract<KeyPurpose, "challenge" | "delay" | "sign-in">;

/** Bytes of a challenge's id. */
export const CHALLENGE_ID_BYTES = 16;
const MAC_BYTES = 16;
const CHALLENGE_CHARACTERS = Math.ceil((CHALLENGE_BYTES * 4) / 3);

/** The binding of a challenge issued now to this visitor for this action (D8, challenge). */
export function bindChallenge(
  cryptography: Cryptography,
  request: { actionName: string | undefined; visitor: Visitor; nowMs: number },
): ChallengeBinding {
  const keyId = cryptography.currentKeyId();
  const key = keyReference(keyId, "binding", request.nowMs);
  return {
    keyId,
    actionDigest: digestAction(cryptography, key, request.actionName),
    userAgentDigest: digestUserAgent(cryptography, key, request.visitor.userAgent),
    ...digestAddress(cryptography, key, request.visitor.bindingAddress),
  };
}

/** A challenge on these terms, issued now, and its signed text (D8, challenge). */
export function signChallenge(
  cryptography: Cryptography,
  settings: ServiceSettings,
  request: ChallengeTerms & {
    site: Site;
    binding: ChallengeBinding;
    id: Uint8Array;
    nowMs: number;
  },
): { challenge: Challenge; text: string } {
  const challenge = createChallenge(request.site, settings, request);
  return { challenge, text: toSignedText(cryptography, "challenge", challenge) };
}

/** The signed text of a challenge (D8, challenge). */
export function toSignedText(
  cryptography: Cryptography,
  use: ChallengeUse,
  challenge: Challenge,
): string {
  return encodeBase64url(
    packChallenge(challenge, (signedBytes) => macOf(cryptography, use, challenge, signedBytes)),
  );
}

function macOf(
  cryptography: Cryptography,
  use: ChallengeUse,
  challenge: Challenge,
  signedBytes: Uint8Array,
): Uint8Array {
  const key = keyReference(challenge.keyId, use, challenge.issuedAtMs);
  return cryptography.mac(key, signedBytes) ?? new Uint8Array(0);
}

/**
 * Opens a challenge that a valid key of this service signed for that use; else undefined. It
 * ignores the age.
 */
export function openChallenge(
  cryptography: Cryptography,
  text: string,
  use: ChallengeUse = "challenge",
): OpenChallenge | undefined {
  if (text.length !== CHALLENGE_CHARACTERS) return undefined;
  const bytes = decodeBase64url(text);
  const unpacked = bytes && unpackChallenge(bytes);
  if (bytes === undefined || unpacked === undefined) return undefined;
  if (cryptography.isRetired(unpacked.challenge.keyId)) return undefined;
  const expected = macOf(cryptography, use, unpacked.challenge, unpacked.signedBytes).subarray(
    0,
    MAC_BYTES,
  );
  return cryptography.isEqual(expected, unpacked.mac)
    ? { challenge: unpacked.challenge, bytes }
    : undefined;
}
