/** Bits of the last character that belong to no byte, by how many characters are over after whole groups of four. */
const UNUSED_BITS = [0, 0, 0b1111, 0b11] as const;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * What `decodeBase64url` of `@stile/pow` answers, for long texts: Node's decoder reads 2,000 characters in a tenth of the time, but
 * skips what is foreign and takes base64's own two characters, so that is looked for.
 */
export function decodeLongBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const tail = text.length % 4;
  // Of characters beyond ASCII it reads the lower halves.
  if (tail === 1 || Buffer.byteLength(text) !== text.length) return undefined;
  if (text.includes("+") || text.includes("/")) return undefined;
  const bytes = new Uint8Array(((text.length - tail) / 4) * 3 + Math.max(0, tail - 1));
  // Skipped characters leave it short.
  if (Buffer.from(bytes.buffer).write(text, "base64url") !== bytes.length) return undefined;
  const last = ALPHABET.indexOf(text.at(-1) ?? "");
  return (last & (UNUSED_BITS[tail] ?? 0)) === 0 ? bytes : undefined;
}
