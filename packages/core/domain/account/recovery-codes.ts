import { encodeUtf8, lengthPrefixed } from "../bytes.ts";

/** How many codes are made at once. */
export const RECOVERY_CODE_COUNT = 10;

/** Random bytes of one code: 80 bits, so that not even who holds a digest finds the code. */
export const RECOVERY_CODE_BYTES = 10;

/** 32 characters of which none looks like another (Crockford's base32). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTERS = 16;
const CODE = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/** A code for a person to keep, made of `RECOVERY_CODE_BYTES` random bytes: four groups of four, such as "3k9m-...". */
export function toRecoveryCode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const text = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join("");
  return (text.match(/.{4}/g) ?? []).join("-");
}

/** A typed code as it was made, however it is grouped or cased and what it was misread as; undefined if it can't be one. */
export function foldRecoveryCode(typed: string): string | undefined {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return CODE.test(text) ? text : undefined;
}

/** What the digest of a member's code is made of: nobody's code has the digest of another's. */
export function recoveryCodeData(userId: string, folded: string): Uint8Array {
  return lengthPrefixed([encodeUtf8("recovery code"), encodeUtf8(userId), encodeUtf8(folded)]);
}
