import { encodeBase64url } from "@stile/pow/base64url";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { type BoundedMap, createBoundedMap } from "../../domain/bounded-map.ts";
import { encodeUtf8 } from "../../domain/bytes.ts";
import { bindingPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { Cryptography, KeyReference } from "../../ports/cryptography.ts";

const DIGEST_BYTES = 8;
/** The first byte of the digested data, so that one kind of value never passes for another. */
const KIND = { address: 1, userAgent: 2, action: 3 } as const;

/** Undefined if there is no such service key. */
function findDigest(
  cryptography: Cryptography,
  key: KeyReference,
  kind: number,
  value: Uint8Array,
) {
  const labelled = new Uint8Array(1 + value.length);
  labelled[0] = kind;
  labelled.set(value, 1);
  return cryptography.keyedDigest(key, labelled)?.subarray(0, DIGEST_BYTES);
}

function keyedDigest(
  cryptography: Cryptography,
  key: KeyReference,
  kind: number,
  value: Uint8Array,
): Uint8Array {
  const digest = findDigest(cryptography, key, kind, value);
  if (digest === undefined)
    throw new Error(
      `service key ${key.keyId} was removed although something that it sealed is still valid`,
    );
  return digest;
}

/** Keyed digest of the client's /24 or /48, with its address family (D5, binding). */
export function digestAddress(
  cryptography: Cryptography,
  key: KeyReference,
  address: IpAddress | undefined,
): { addressFamily: 0 | 4 | 6; prefixDigest: Uint8Array } {
  if (address === undefined)
    return { addressFamily: 0, prefixDigest: new Uint8Array(DIGEST_BYTES) };
  const prefixDigest = keyedDigest(cryptography, key, KIND.address, bindingPrefix(address));
  return { addressFamily: address.family, prefixDigest };
}

/** The digest of the client's /24 or /48 under a key that may be gone; then undefined. */
export function findPrefixDigest(
  cryptography: Cryptography,
  key: KeyReference,
  address: IpAddress,
) {
  return findDigest(cryptography, key, KIND.address, bindingPrefix(address));
}

/**
 * The network's name in this process's counters, for the day of the digest's key; undefined if
 * unknown.
 */
export function networkName(digest: {
  addressFamily: 0 | 4 | 6;
  prefixDigest: Uint8Array;
}): string | undefined {
  return digest.addressFamily === 0 ? undefined : encodeBase64url(digest.prefixDigest);
}

/**
 * A user agent within a network, as the counters name it: all that a token or challenge reveals
 * about its visitor.
 */
export function agentName(network: string, userAgentDigest: Uint8Array): string {
  return `${network} ${encodeBase64url(userAgentDigest)}`;
}

/** How many digests of user agents are kept: most visitors share a few dozen. */
const KEPT_AGENTS = 256;

/** Digests made with one key. */
type KeptAgents = { readonly key: KeyReference; readonly digests: BoundedMap<string, Uint8Array> };

/** Digests of the most recently used key, which changes with the day. */
const keptAgents = new WeakMap<Cryptography, KeptAgents>();

function digestsUnder(cryptography: Cryptography, key: KeyReference): KeptAgents["digests"] {
  const kept = keptAgents.get(cryptography);
  if (
    kept?.key.keyId === key.keyId &&
    kept.key.day === key.day &&
    kept.key.purpose === key.purpose
  ) {
    return kept.digests;
  }
  const digests: KeptAgents["digests"] = createBoundedMap(KEPT_AGENTS);
  keptAgents.set(cryptography, { key, digests });
  return digests;
}

/**
 * Characters beyond ASCII: a header has bytes, and servers read those as Latin-1, as UTF-8, or
 * replace them.
 */
const BEYOND_ASCII = /[^\0-\x7f]+/g;

/**
 * Keyed digest of a user agent; a missing one counts as empty (D5, binding). Only ASCII and the
 * first characters count. So the service's view and the text from a customer's server agree even if
 * one of them was cut, or read in another way. Callers share the result and must not write to it.
 */
export function digestUserAgent(
  cryptography: Cryptography,
  key: KeyReference,
  userAgent: string,
): Uint8Array {
  const counted = userAgent.slice(0, TEXT_LIMITS.userAgent);
  const digests = digestsUnder(cryptography, key);
  const kept = digests.get(counted);
  if (kept !== undefined) return kept;
  const digest = keyedDigest(
    cryptography,
    key,
    KIND.userAgent,
    encodeUtf8(counted.replace(BEYOND_ASCII, "")),
  );
  digests.set(counted, digest);
  return digest;
}

/**
 * Keyed digest of an action name. An absent name gives zeros, which no real digest is expected to
 * equal.
 */
export function digestAction(
  cryptography: Cryptography,
  key: KeyReference,
  actionName: string | undefined,
): Uint8Array {
  if (actionName === undefined) return new Uint8Array(DIGEST_BYTES);
  return keyedDigest(cryptography, key, KIND.action, encodeUtf8(actionName));
}
