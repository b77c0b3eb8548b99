import type { Binding } from "@stile/protocol/site-settings";
import type { HistoryEvidence } from "@stile/risk/evidence";
import type { TokenPayload } from "./token.ts";

/**
 * The customer's claim about the visitor at redemption, to compare with the token (D5, binding).
 */
export type BindingClaim = {
  /** `absent`: not sent; `unreadable`: sent, but not an IP address. */
  readonly address:
    | "absent"
    | "unreadable"
    | { readonly family: 4 | 6; readonly prefixDigest: Uint8Array };
  /** Keyed digest of the sent user agent; undefined if none was sent. */
  readonly userAgentDigest: Uint8Array | undefined;
};

/**
 * How the claim differs from the token. `address_family`: earned over IPv4 and redeemed for IPv6 or
 * the reverse, which happens to visitors who have both. `address_unknown`: an address was sent, but
 * the token is bound to none. `address_unreadable`: the sent text is no address, so nothing can be
 * compared.
 */
export type BindingDifference =
  | "address"
  | "address_family"
  | "address_unknown"
  | "address_unreadable"
  | "user_agent";

/**
 * Differences that also happen to people, or that the operator causes. Only `strict_family` refuses
 * the first two.
 */
const LENIENT: readonly BindingDifference[] = [
  "address_family",
  "address_unknown",
  "address_unreadable",
];

/** Compares two digests; the caller passes a constant-time comparison. */
type IsEqual = (a: Uint8Array, b: Uint8Array) => boolean;

/** The binding of a token or a challenge. */
export type Bound = Pick<TokenPayload, "addressFamily" | "prefixDigest" | "userAgentDigest">;

function addressDifference(
  token: Bound,
  claim: BindingClaim,
  isEqual: IsEqual,
): BindingDifference | undefined {
  if (claim.address === "absent") return undefined;
  if (token.addressFamily === 0) return "address_unknown";
  if (claim.address === "unreadable") return "address_unreadable";
  if (claim.address.family !== token.addressFamily) return "address_family";
  return isEqual(claim.address.prefixDigest, token.prefixDigest) ? undefined : "address";
}

/** Every way in which the claim differs from the token's binding (D5, binding). */
export function findBindingDifferences(
  token: Bound,
  claim: BindingClaim,
  isEqual: IsEqual,
): readonly BindingDifference[] {
  const address = addressDifference(token, claim, isEqual);
  const hasOtherAgent =
    claim.userAgentDigest !== undefined && !isEqual(claim.userAgentDigest, token.userAgentDigest);
  return [
    ...(address === undefined ? [] : [address]),
    ...(hasOtherAgent ? ["user_agent" as const] : []),
  ];
}

/** Whether the differences make the site's setting refuse the token (D5, binding). */
export function isBindingMismatch(
  differences: readonly BindingDifference[],
  binding: Binding,
): boolean {
  if (binding === "strict_family")
    return differences.some((difference) => difference !== "address_unreadable");
  return binding === "strict" && differences.some((difference) => !LENIENT.includes(difference));
}

/**
 * Whether the token is redeemed for another network than it was earned in; another address family
 * counts as one.
 */
export function differInNetwork(differences: readonly BindingDifference[]): boolean {
  return differences.includes("address") || differences.includes("address_family");
}

/**
 * The differences as evidence for the score (D5, binding). An unknown address is already part of
 * the token's score.
 */
export function toHistoryEvidence(differences: readonly BindingDifference[]): HistoryEvidence {
  return {
    isAddressChanged: differInNetwork(differences),
    isAddressHidden: differences.includes("address_unreadable"),
    isUserAgentChanged: differences.includes("user_agent"),
  };
}
