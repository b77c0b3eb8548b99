/**
 * The four starting words of SipHash ("somepseudorandomlygeneratedbytes"), each as low and high
 * half.
 */
const START = Int32Array.of(
  0x70736575,
  0x736f6d65,
  0x6e646f6d,
  0x646f7261,
  0x6e657261,
  0x6c796765,
  0x79746573,
  0x74656462,
);

/** How many numbers a state yields before it is mixed again. */
const NUMBERS_PER_STATE = 4;
const ROUNDS_PER_STATE = 4;

/**
 * Runs SipRounds in place over the four u64 at `at`, `at + 2`, ... of `words`. In the JavaScript
 * code of HashWX every u64 is a pair of 32-bit words, low half first.
 */
export function runSipRounds(words: Int32Array, at: number, rounds: number): void {
  let low0 = words[at] as number;
  let high0 = words[at + 1] as number;
  let low1 = words[at + 2] as number;
  let high1 = words[at + 3] as number;
  let low2 = words[at + 4] as number;
  let high2 = words[at + 5] as number;
  let low3 = words[at + 6] as number;
  let high3 = words[at + 7] as number;
  let kept = 0;
  for (let round = 0; round < rounds; round++) {
    low0 = (low0 + low1) | 0;
    high0 = (high0 + high1 + (low0 >>> 0 < low1 >>> 0 ? 1 : 0)) | 0;
    low2 = (low2 + low3) | 0;
    high2 = (high2 + high3 + (low2 >>> 0 < low3 >>> 0 ? 1 : 0)) | 0;
    kept = low1;
    low1 = ((low1 << 13) | (high1 >>> 19)) ^ low0;
    high1 = ((high1 << 13) | (kept >>> 19)) ^ high0;
    kept = low3;
    low3 = ((low3 << 16) | (high3 >>> 16)) ^ low2;
    high3 = ((high3 << 16) | (kept >>> 16)) ^ high2;
    kept = low0;
    low0 = high0;
    high0 = kept;
    low2 = (low2 + low1) | 0;
    high2 = (high2 + high1 + (low2 >>> 0 < low1 >>> 0 ? 1 : 0)) | 0;
    low0 = (low0 + low3) | 0;
    high0 = (high0 + high3 + (low0 >>> 0 < low3 >>> 0 ? 1 : 0)) | 0;
    kept = low1;
    low1 = ((low1 << 17) | (high1 >>> 15)) ^ low2;
    high1 = ((high1 << 17) | (kept >>> 15)) ^ high2;
    kept = low3;
    low3 = ((low3 << 21) | (high3 >>> 11)) ^ low0;
    high3 = ((high3 << 21) | (kept >>> 11)) ^ high0;
    kept = low2;
    low2 = high2;
    high2 = kept;
  }
  words[at] = low0;
  words[at + 1] = high0;
  words[at + 2] = low1;
  words[at + 3] = high1;
  words[at + 4] = low2;
  words[at + 5] = high2;
  words[at + 6] = low3;
  words[at + 7] = high3;
}

/** Mixes the key (two u64 at `keyAt` of `keys`) into all four words of `state`. */
function mixKey(state: Int32Array, keys: Int32Array, keyAt: number): void {
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) ^ (keys[keyAt + (i & 3)] as number);
}

/** The start of a generator `G(k0, k1, salt)`. The key is the two pairs at `keyAt` of `keys`. */
export type GeneratorSeed = {
  readonly keys: Int32Array;
  readonly keyAt: number;
  readonly saltLow: number;
  readonly saltHigh: number;
};

/**
 * Writes the first `count` numbers (a multiple of 4) of the generator as pairs to `out`, from
 * `outAt` on.
 */
export function drawNumbers(
  seed: GeneratorSeed,
  out: Int32Array,
  outAt: number,
  count: number,
): void {
  const { keys, keyAt, saltLow, saltHigh } = seed;
  const state = START.slice();
  mixKey(state, keys, keyAt);
  state[6] = (state[6] as number) ^ saltLow;
  state[7] = (state[7] as number) ^ saltHigh;
  runSipRounds(state, 0, 1);
  state[0] = (state[0] as number) ^ saltLow;
  state[1] = (state[1] as number) ^ saltHigh;
  state[4] = (state[4] as number) ^ 0xbb;
  runSipRounds(state, 0, 3);
  for (let drawn = 0; drawn < count; drawn += NUMBERS_PER_STATE) {
    if (drawn > 0) {
      mixKey(state, keys, keyAt);
      runSipRounds(state, 0, ROUNDS_PER_STATE);
    }
    // The last word of the state is the first number.
    for (let i = 0; i < 8; i++) out[outAt + 2 * drawn + i] = state[6 - (i & 6) + (i & 1)] as number;
  }
}
