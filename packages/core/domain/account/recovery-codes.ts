import { encodeUtf8, lengthPrefixed } from "../bytes.ts";

/** How many codes are made at once. */
export const RECOVERY_CODE_COUNT = 10;

/**
 * Random bytes per code: 80 bits, so that not even somebody who has its digest can find the code.
 */
export const RECOVERY_CODE_BYTES = 10;

/** 32 characters that do not look alike (Crockford's base32). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTERS = 16;
const CODE = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/**
 * The text of a code, made of `RECOVERY_CODE_BYTES` random bytes: four groups of four, such as
 * "3k9m-...".
 */
export function toRecoveryCode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const text = (bits.match(/.{5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five, 2)])
    .join("");
  return (text.match(/.{4}/g) ?? []).join("-");
}

/**
 * Undoes grouping, case and misread characters of a typed code; undefined if the text cannot be a
 * code.
 */
export function foldRecoveryCode(typed: string): string | undefined {
  const text = typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  return CODE.test(text) ? text : undefined;
}

/**
 * The data whose digest is stored for a code. It includes the member, so equal codes of two members
 * differ.
 */
export function recoveryCodeData(userId: string, folded: string): Uint8Array {
  return lengthPrefixed([encodeUtf8("recovery code"), encodeUtf8(userId), encodeUtf8(folded)]);
}
