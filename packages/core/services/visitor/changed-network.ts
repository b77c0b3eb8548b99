import type { Challenge } from "@stile/pow/challenge";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "./key-reference.ts";
import { networkOf } from "./network-evidence.ts";
import { digestAddress, networkName } from "./visitor-digests.ts";

/**
 * Whether a solution is submitted from another network than the one its challenge was issued to:
 * another /24 or /48, the other family, or one of the two unknown. Mobile networks and relays do
 * that to people from one request to the next (D9, submission).
 */
export function hasChangedNetwork(
  cryptography: Cryptography,
  challenge: Challenge,
  { bindingAddress }: Visitor,
): boolean {
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const here = digestAddress(cryptography, key, bindingAddress);
  const isSameFamily = here.addressFamily === challenge.addressFamily;
  return !isSameFamily || !cryptography.isEqual(here.prefixDigest, challenge.prefixDigest);
}

/**
 * The names of the networks that took part: where the challenge was drawn, and where it is
 * submitted from if it moved.
 */
export function networksOf(
  cryptography: Cryptography,
  moved: { readonly challenge: Challenge; readonly visitor: Visitor; readonly hasMoved: boolean },
  client: string,
  nowMs: number,
): readonly string[] {
  const drawnIn = networkName(moved.challenge) ?? client;
  if (!moved.hasMoved) return [drawnIn];
  return [drawnIn, networkOf(cryptography, moved.visitor.bindingAddress, nowMs) ?? client];
}
