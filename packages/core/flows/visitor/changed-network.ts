import type { Challenge } from "@stile/pow/challenge";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "./key-reference.ts";
import { digestAddress } from "./visitor-digests.ts";

/**
 * Whether a solution is submitted from another network than the one its challenge was issued to: another /24 or /48,
 * the other family, or one of the two unknown. Mobile networks and relays do that to people from one request to the
 * next (D9).
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
