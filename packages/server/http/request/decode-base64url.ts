/** The unused bits of the last character, by the number of characters after groups of four. */
const UNUSED_BITS = [0, 0, 0b1111, 0b11] as const;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Does the same as `decodeBase64url` of `@stile/pow`, for long texts. Node's decoder takes a tenth
 * of the time for 2,000 characters. But it skips foreign characters and accepts `+` and `/`, so
 * these are checked here.
 */
export function decodeLongBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const tail = text.length % 4;
  // The decoder reads only the lower half of characters beyond ASCII.
  if (tail === 1 || Buffer.byteLength(text) !== text.length) return undefined;
  if (text.includes("+") || text.includes("/")) return undefined;
  const bytes = new Uint8Array(((text.length - tail) / 4) * 3 + Math.max(0, tail - 1));
  // If it skipped characters, it wrote too few bytes.
  if (Buffer.from(bytes.buffer).write(text, "base64url") !== bytes.length) return undefined;
  const last = ALPHABET.indexOf(text.at(-1) ?? "");
  return (last & (UNUSED_BITS[tail] ?? 0)) === 0 ? bytes : undefined;
}
