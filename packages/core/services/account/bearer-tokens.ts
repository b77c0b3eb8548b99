import { encodeBase64url } from "@stile/pow/base64url";
import type { RequestedChange } from "../../domain/account/signed-in.ts";
import type { Cryptography } from "../../ports/cryptography.ts";

const TOKEN_BYTES = 32;
const ID_BYTES = 12;
/** As many characters as the base64url of ID_BYTES. */
const LINK_ID_CHARACTERS = 16;

/** A bearer's token (256 random bits in base64url) and the digest of it that is stored. */
export function createToken(cryptography: Cryptography): { token: string; tokenDigest: string } {
  const token = encodeBase64url(cryptography.randomBytes(TOKEN_BYTES));
  return { token, tokenDigest: digestToken(cryptography, token) };
}

/** The stored form of a token: SHA-256 of its text, base64url. */
export function digestToken(cryptography: Cryptography, token: string): string {
  return encodeBase64url(cryptography.digest(token));
}

/**
 * The id of a link: the same for every repeat of the change that makes it, so that a repeat
 * replaces the link. It is no secret, and does not reveal the id of the change.
 */
export function createLinkId(
  cryptography: Cryptography,
  change: RequestedChange | undefined,
): string {
  return change === undefined
    ? createId(cryptography, "lnk")
    : `lnk_${change.digest.slice(0, LINK_ID_CHARACTERS)}`;
}

/** A new id with its prefix, such as `usr_...`. */
export function createId(cryptography: Cryptography, prefix: "usr" | "ses" | "lnk"): string {
  return `${prefix}_${encodeBase64url(cryptography.randomBytes(ID_BYTES))}`;
}
