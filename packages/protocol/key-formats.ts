/** The 62 characters of key bodies, in order of value (D13, formats). */
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Public key of a site: `pk_` and 22 base62 characters, 128 bit (D13, formats). */
const SITE_KEY_PATTERN = /^pk_[0-9A-Za-z]{22}$/;

/**
 * Secret key: `sk_`, 43 base62 characters (256 bit), 6 base62 characters of CRC-32 over all before
 * them (D13, formats).
 */
const SECRET_KEY_PATTERN = /^sk_[0-9A-Za-z]{49}$/;

const CHECKSUM_LENGTH = 6;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 (IEEE 802.3) of an ASCII text, unsigned. */
export function crc32(ascii: string): number {
  let crc = -1;
  for (let i = 0; i < ascii.length; i++)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ ascii.charCodeAt(i)) & 255] ?? 0);
  return ~crc >>> 0;
}

/** A non-negative safe integer in base62, padded with zeros to `length` characters. */
function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = BASE62[rest % 62] + text;
  return text;
}

/** The six checksum characters that follow `sk_` and the 43 random characters (D13, formats). */
export function secretKeyChecksum(withoutChecksum: string): string {
  return toBase62(crc32(withoutChecksum), CHECKSUM_LENGTH);
}

/** Whether the text has the form of a site key (D13, formats); the site need not exist. */
export function isSiteKey(text: unknown): text is string {
  return typeof text === "string" && SITE_KEY_PATTERN.test(text);
}

/**
 * Whether the text is a secret key with a correct checksum. This catches typos without asking a
 * store (D13, formats).
 */
export function isSecretKey(text: unknown): text is string {
  if (typeof text !== "string" || !SECRET_KEY_PATTERN.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return secretKeyChecksum(body) === text.slice(-CHECKSUM_LENGTH);
}
