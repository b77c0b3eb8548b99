import { expandSchedule, INITIAL_STATE, runRounds } from "../sha256.ts";
import type { Algorithm, TargetWords } from "./puzzle-function.ts";

const SEED_BYTES = 32;
/**
 * The first scheduled word that depends on the input: 0..7 are the seed, so 16..22 follow from
 * constants alone.
 */
const FIRST_VARYING_WORD = 23;

const byteSwap = (x: number): number =>
  ((x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24)) >>> 0;

/**
 * Algorithm 2: `H(input)` is the first 8 bytes, little endian, of `SHA-256(seed | u32le(input))`.
 * The 36 bytes fit one block, so the eight rounds over the seed and the constant part of the
 * schedule are computed once per seed, and each input costs 56 rounds. It can replace the default
 * algorithm in an emergency: native code runs it far faster than a browser does.
 */
export const sha256Algorithm: Algorithm = {
  createFunction(seed) {
    if (seed.length !== SEED_BYTES)
      throw new RangeError(`a seed is ${SEED_BYTES} bytes, not ${seed.length}`);
    const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
    const words = new Int32Array(64);
    for (let t = 0; t < 8; t++) words[t] = view.getInt32(4 * t);
    words[9] = 0x80000000 | 0;
    words[15] = (SEED_BYTES + 4) * 8;
    expandSchedule(words, 16);
    const afterSeed = INITIAL_STATE.slice();
    runRounds(afterSeed, words, 0, 8);
    const working = new Int32Array(8);
    const initial0 = INITIAL_STATE[0] as number;
    const initial1 = INITIAL_STATE[1] as number;

    const isBelow = (input: number, target: TargetWords): boolean => {
      words[8] = byteSwap(input);
      expandSchedule(words, FIRST_VARYING_WORD);
      working.set(afterSeed);
      runRounds(working, words, 8, 64);
      const high = byteSwap(initial1 + (working[1] as number));
      if (high !== target.high) return high < target.high;
      return byteSwap(initial0 + (working[0] as number)) < target.low;
    };

    const search = (from: number, to: number, target: TargetWords): number => {
      for (let input = from; input < to; input++) if (isBelow(input, target)) return input;
      return to;
    };

    return { isBelow, search };
  },
};
