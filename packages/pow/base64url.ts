const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const NOT_IN_ALPHABET = 0xff;

const CODE_OF_VALUE = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const VALUE_OF_CODE = new Uint8Array(128).fill(NOT_IN_ALPHABET);
CODE_OF_VALUE.forEach((code, value) => {
  VALUE_OF_CODE[code] = value;
});

const valueAt = (text: string, position: number): number => {
  const code = text.charCodeAt(position);
  return code < 128 ? (VALUE_OF_CODE[code] as number) : NOT_IN_ALPHABET;
};

/**
 * Bytes per call of `String.fromCharCode`, because engines limit its number of arguments; a
 * multiple of 3.
 */
const CHUNK_BYTES = 3072;

/**
 * Encodes bytes as RFC 4648 section 5 without padding: the only spelling of them that
 * `decodeBase64url` accepts.
 */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const end = Math.min(bytes.length, start + CHUNK_BYTES);
    const codes = new Array<number>(Math.ceil(((end - start) * 4) / 3));
    let written = 0;
    for (let i = start; i < end; i += 3) {
      const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
      codes[written++] = CODE_OF_VALUE[group >>> 18] as number;
      codes[written++] = CODE_OF_VALUE[(group >>> 12) & 63] as number;
      if (written < codes.length) codes[written++] = CODE_OF_VALUE[(group >>> 6) & 63] as number;
      if (written < codes.length) codes[written++] = CODE_OF_VALUE[group & 63] as number;
    }
    text += String.fromCharCode(...codes);
  }
  return text;
}

/**
 * The bytes of a base64url text, or `undefined` if the text is not exactly what `encodeBase64url`
 * writes for them: a foreign character, padding, white space, an impossible length, or unused
 * trailing bits that are not zero (D3, single use: a second spelling of the same bytes would be a
 * second token). The caller must limit the length of the text.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const tail = text.length % 4;
  if (tail === 1) return undefined;
  const wholeEnd = text.length - tail;
  const bytes = new Uint8Array((wholeEnd / 4) * 3 + (tail === 0 ? 0 : tail - 1));
  let written = 0;
  // A foreign character has the value 0xff. Its top bits survive the OR, so one comparison at the
  // end catches them all.
  let seen = 0;
  for (let i = 0; i < wholeEnd; i += 4) {
    const a = valueAt(text, i);
    const b = valueAt(text, i + 1);
    const c = valueAt(text, i + 2);
    const d = valueAt(text, i + 3);
    seen |= a | b | c | d;
    bytes[written++] = (a << 2) | (b >>> 4);
    bytes[written++] = (b << 4) | (c >>> 2);
    bytes[written++] = (c << 6) | d;
  }
  if (tail !== 0) {
    const a = valueAt(text, wholeEnd);
    const b = valueAt(text, wholeEnd + 1);
    const c = tail === 3 ? valueAt(text, wholeEnd + 2) : 0;
    seen |= a | b | c;
    bytes[written++] = (a << 2) | (b >>> 4);
    if (tail === 3) bytes[written] = (b << 4) | (c >>> 2);
    const unusedBits = tail === 3 ? c & 3 : b & 15;
    if (unusedBits !== 0) return undefined;
  }
  return seen < 64 ? bytes : undefined;
}
