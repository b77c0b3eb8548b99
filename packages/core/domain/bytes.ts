/** The UTF-8 bytes of a text. Lone surrogates become U+FFFD, as in the Encoding Standard. */
export function encodeUtf8(text: string): Uint8Array {
  // Nearly every text here is ASCII, and the general loop costs ten times as much.
  const ascii = new Uint8Array(text.length);
  return writeAscii(text, ascii, 0) ? ascii : encodeBeyondAscii(text);
}

function encodeBeyondAscii(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000)
      bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else {
      bytes.push(
        0xf0 | (point >> 18),
        0x80 | ((point >> 12) & 63),
        0x80 | ((point >> 6) & 63),
        0x80 | (point & 63),
      );
    }
  }
  return Uint8Array.from(bytes);
}

/** The text of UTF-8 bytes that `encodeUtf8` wrote. It does not validate other input. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const extra = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    let point = extra === 0 ? lead : lead & (0x3f >> extra);
    for (let i = 1; i <= extra; i++) point = (point << 6) | ((bytes[at + i] ?? 0) & 63);
    text += String.fromCodePoint(point);
    at += extra + 1;
  }
  return text;
}

/** Writes an ASCII text to `bytes`; false if the text is not ASCII. */
function writeAscii(text: string, bytes: Uint8Array, from: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[from + i] = code;
  }
  return true;
}

/**
 * Joins the parts, each after its length as a big-endian u32, so that no two lists give the same
 * bytes. Texts are written as UTF-8, straight into the result.
 */
export function lengthPrefixed(parts: readonly (Uint8Array | string)[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += 4 + part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined[at] = part.length >>> 24;
    joined[at + 1] = part.length >>> 16;
    joined[at + 2] = part.length >>> 8;
    joined[at + 3] = part.length;
    at += 4;
    if (typeof part !== "string") joined.set(part, at);
    else if (!writeAscii(part, joined, at)) {
      return lengthPrefixed(parts.map((one) => (typeof one === "string" ? encodeUtf8(one) : one)));
    }
    at += part.length;
  }
  return joined;
}

/** Whether two digests are equal, in a time that does not depend on where they differ. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let differing = 0;
  for (let i = 0; i < one.length; i++) differing |= (one[i] ?? 0) ^ (other[i] ?? 0);
  return differing === 0;
}
