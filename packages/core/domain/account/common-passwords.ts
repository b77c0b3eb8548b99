import { encodeBase64url } from "@stile/pow/base64url";
import { COMMON_PASSWORD_DIGESTS } from "./common-password-digests.ts";

const DIGEST_BYTES = 8;
const DIGEST_CHARACTERS = 11;

const KNOWN: ReadonlySet<string> = new Set(
  COMMON_PASSWORD_DIGESTS.replaceAll("\n", "").match(new RegExp(`.{${DIGEST_CHARACTERS}}`, "g")),
);

/** A password as the list of common ones holds it: whoever guesses tries each in every case and width. */
export function foldPassword(password: string): string {
  return password.normalize("NFKC").trim().toLowerCase();
}

/**
 * Whether the password is one of the 3,000 used most among those long enough to be allowed otherwise (ASVS 5.0, 6.2.4).
 * `digest` is SHA-256. None of them is missed, and another one is mistaken for one of them once in 6·10^15.
 */
export function isCommonPassword(password: string, digest: (text: string) => Uint8Array): boolean {
  return KNOWN.has(encodeBase64url(digest(foldPassword(password)).subarray(0, DIGEST_BYTES)));
}
