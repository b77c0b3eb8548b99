/** Whole numbers from 0 up to, not including, `below`; the same sequence for the same seed (Marsaglia's xorshift32). */
export type SeededRandom = (below: number) => number;

/** A generator whose run can be repeated by its seed, any whole number. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
