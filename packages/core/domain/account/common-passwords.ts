import { encodeBase64url } from "@stile/pow/base64url";
import { COMMON_PASSWORD_DIGESTS } from "./common-password-digests.ts";

const DIGEST_BYTES = 8;
const DIGEST_CHARACTERS = 11;

const KNOWN: ReadonlySet<string> = new Set(
  COMMON_PASSWORD_DIGESTS.replaceAll("\n", "").match(new RegExp(`.{${DIGEST_CHARACTERS}}`, "g")),
);

/**
 * A password in the form of the list: an attacker tries each common one in every case and width.
 */
export function foldPassword(password: string): string {
  return password.normalize("NFKC").trim().toLowerCase();
}

/**
 * Whether the password is one of the 3,000 most used of those that are long enough to be allowed
 * (ASVS 5.0, 6.2.4). `digest` is SHA-256. It misses none of them, and mistakes another password for
 * one of them once in 6·10^15.
 */
export function isCommonPassword(password: string, digest: (text: string) => Uint8Array): boolean {
  return KNOWN.has(encodeBase64url(digest(foldPassword(password)).subarray(0, DIGEST_BYTES)));
}
