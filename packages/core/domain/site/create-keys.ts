import { BASE62, secretKeyChecksum } from "@stile/protocol/key-formats";
import type { SecretKeyRecord } from "./secret-key.ts";

/** Source of unpredictable bytes, from the cryptography port. */
export type RandomBytes = (length: number) => Uint8Array;

const SITE_KEY_RANDOM = 22;
const SECRET_KEY_RANDOM = 43;
/**
 * Bytes below 248 = 4 * 62 map evenly to base62. Others are discarded, so that no character is more
 * likely.
 */
const FAIR_BYTES = 248;

function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A new public key (D13, formats). */
export function createSiteKey(randomBytes: RandomBytes): string {
  return `pk_${randomBase62(SITE_KEY_RANDOM, randomBytes)}`;
}

/** A new secret key; it is shown once and never stored (D13, formats). */
export function createSecretKey(randomBytes: RandomBytes): string {
  const body = `sk_${randomBase62(SECRET_KEY_RANDOM, randomBytes)}`;
  return body + secretKeyChecksum(body);
}

/**
 * The stored record of a secret key. `digest` is the SHA-256 of its text, base64url (D13, formats).
 */
export function toSecretKeyRecord(
  secretKey: string,
  digest: string,
  nowMs: number,
): SecretKeyRecord {
  return { digest, lastFour: secretKey.slice(-4), createdAtMs: nowMs, replacedAtMs: null };
}
