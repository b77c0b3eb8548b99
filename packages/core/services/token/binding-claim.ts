import type { Site } from "../../domain/site/site.ts";
import {
  type BindingClaim,
  type BindingDifference,
  type Bound,
  findBindingDifferences,
} from "../../domain/token/binding.ts";
import { parseNamedAddress } from "../../domain/visitor/ip-address.ts";
import type { Cryptography, KeyReference } from "../../ports/cryptography.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAddress, digestUserAgent } from "../visitor/visitor-digests.ts";
import type { OpenToken } from "./seal-token.ts";

/** The claims of a customer's server about its visitor, as sent. */
export type VisitorClaim = {
  readonly remoteIp: string | undefined;
  readonly userAgent: string | undefined;
};

/**
 * The claim in the form of the token's binding: digested with the key of the token's day (D5,
 * binding).
 */
export function toBindingClaim(
  cryptography: Cryptography,
  token: OpenToken,
  claim: VisitorClaim,
): BindingClaim {
  const key = keyReference(token.header.keyId, "binding", token.header.issuedAtSeconds * 1000);
  return digestClaim(cryptography, key, claim);
}

/**
 * The claim digested with this key, which must be that of the token or challenge to compare it with
 * (D5, binding).
 */
export function digestClaim(
  cryptography: Cryptography,
  key: KeyReference,
  claim: VisitorClaim,
): BindingClaim {
  const userAgentDigest =
    claim.userAgent === undefined ? undefined : digestUserAgent(cryptography, key, claim.userAgent);
  if (claim.remoteIp === undefined) return { address: "absent", userAgentDigest };
  const address = parseNamedAddress(claim.remoteIp);
  if (address === undefined) return { address: "unreadable", userAgentDigest };
  const { prefixDigest } = digestAddress(cryptography, key, address);
  return { address: { family: address.family, prefixDigest }, userAgentDigest };
}

/**
 * How the visitor differs from the one who earned a token or sent signals; nothing if the site does
 * not bind (D5, binding).
 */
export function findSiteDifferences(
  { isEqual }: Cryptography,
  { binding }: Site,
  bound: Bound,
  claim: BindingClaim,
): readonly BindingDifference[] {
  return binding === "off" ? [] : findBindingDifferences(bound, claim, isEqual);
}
