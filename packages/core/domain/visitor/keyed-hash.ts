/** A key for `hashText`: four secret numbers below 2^32. */
export type HashKey = Uint32Array;

/**
 * Mixes a number into a state, so that each bit of both changes half of the bits of the result
 * (MurmurHash3).
 */
export function mix(state: number, value: number): number {
  let part = Math.imul(value, 0xcc9e2d51);
  part = Math.imul((part << 15) | (part >>> 17), 0x1b873593);
  const mixed = state ^ part;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/** Ends a chain of `mix`: 32 bits, not negative. */
export function finish(state: number): number {
  let bits = state ^ (state >>> 16);
  bits = Math.imul(bits ^ (bits >>> 13), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * A 32-bit hash of a text, for counters of this process. It is fast, but no protection against
 * forgery: two texts that collide only have the effect of one text sent twice.
 */
export function hashText(text: string, key: HashKey): number {
  let state = mix(key[0] ?? 0, text.length);
  const even = text.length & ~1;
  for (let at = 0; at < even; at += 2)
    state = mix(state, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  if (even < text.length) state = mix(state, text.charCodeAt(even));
  return mix(state, key[1] ?? 0);
}

/** The 32-bit hash of a few bytes. */
export function hashBytes(bytes: Uint8Array, key: HashKey): number {
  let state = mix(key[0] ?? 0, bytes.length);
  for (const byte of bytes) state = mix(state, byte);
  return mix(state, key[1] ?? 0);
}
