/** UTF-8 bytes of a text; lone surrogates become U+FFFD, as in the Encoding Standard. */
export function encodeUtf8(text: string): Uint8Array {
  // Nearly every text here is ASCII; the loop below would cost ten times as much.
  const ascii = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return encodeBeyondAscii(text);
    ascii[i] = code;
  }
  return ascii;
}

function encodeBeyondAscii(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else {
      bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
  }
  return Uint8Array.from(bytes);
}

/** Text of UTF-8 bytes that `encodeUtf8` wrote; not a validator of foreign input. */
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

/** The parts one after another, each behind its length as a big-endian u32, so that no two lists give the same bytes. */
export function lengthPrefixed(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(joined.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    joined.set(part, at + 4);
    at += 4 + part.length;
  }
  return joined;
}
