const SEED_BYTES = 32;

/** The u64 made of two 32-bit halves, signed or not. */
export const toU64 = (low: number, high: number): bigint =>
  (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

/**
 * The 32 bytes of a seed as eight 32-bit words: the first four (`a0 a1`) drive the program
 * generator, the others (`b0 b1`) key the hash itself. Throws RangeError for another length.
 */
export function seedWordsOf(seed: Uint8Array): Int32Array {
  if (seed.length !== SEED_BYTES)
    throw new RangeError(`a seed is ${SEED_BYTES} bytes, not ${seed.length}`);
  const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  return Int32Array.from({ length: SEED_BYTES / 4 }, (_, i) => view.getInt32(4 * i, true));
}

/** The words of a seed as four u64: `a0 a1 b0 b1`. */
export const toU64s = (words: Int32Array): readonly [bigint, bigint, bigint, bigint] => [
  toU64(words[0] as number, words[1] as number),
  toU64(words[2] as number, words[3] as number),
  toU64(words[4] as number, words[5] as number),
  toU64(words[6] as number, words[7] as number),
];
