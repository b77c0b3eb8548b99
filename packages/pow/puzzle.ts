import type { TargetWords } from "./algorithms/puzzle-function.ts";
import type { AlgorithmNumber } from "./algorithms/table.ts";

/**
 * SHA-256 (32 bytes) as an argument: a server has a native one, a browser on a plain http page has
 * none.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/**
 * k, the distinct nonces of a solution: 16 easy ones vary far less in time than a hard one (p95/p50
 * 1.47, not 4.3).
 */
export const NONCES_PER_SOLUTION = 16;

/** Bytes of a solution with `NONCES_PER_SOLUTION` nonces, a u32 each. */
export const SOLUTION_BYTES = 4 * NONCES_PER_SOLUTION;

/**
 * How many nonces share one function: nonce `n` is input `n % 65536` of function `floor(n /
 * 65536)`.
 */
export const NONCES_PER_FUNCTION = 65_536;

/**
 * The greatest D, the number of hashes expected of an honest solver, whose nonces (all below 8 D)
 * still fit a u32.
 */
export const MAX_DIFFICULTY = 2 ** 29;

/**
 * D before any adjustment, so that an honest visitor with one worker waits about equally long with
 * every algorithm: 2^17 hashes of HashWX at 1,500 kH/s take 87 ms, 2^19 of algorithm 2 at 4,400
 * kH/s 119 ms, in Chromium on one server core, compilation included; a slow laptop needs up to
 * twice that. Measured with `npm run bench -- pow`.
 */
export const BASE_DIFFICULTY: Readonly<Record<AlgorithmNumber, number>> = {
  1: 2 ** 17,
  2: 2 ** 19,
};

/**
 * Whether k nonces and D expected hashes make a puzzle: whole numbers, k in 1..255, k < D <=
 * `MAX_DIFFICULTY`.
 */
export const isPuzzleSize = (k: number, difficulty: number): boolean =>
  Number.isInteger(k) &&
  Number.isInteger(difficulty) &&
  k >= 1 &&
  k <= 255 &&
  difficulty > k &&
  difficulty <= MAX_DIFFICULTY;

/**
 * D adjusted by a power of two. The exponent is limited to -1..+6, so that neither relief nor
 * pressure runs away.
 */
export const difficultyFor = (base: number, exponentOffset: number): number =>
  Math.floor(base * 2 ** Math.min(6, Math.max(-1, exponentOffset)));

/**
 * The first nonce that is out of range, 8 D. An honest solver needs more nonces with a probability
 * below 10^-30.
 */
export const nonceBound = (difficulty: number): number => 8 * difficulty;

/**
 * The u64 that a nonce's hash must stay below: `floor(2^64 * k / D)`. Throws RangeError if that is
 * no valid puzzle.
 */
export function target(k: number, difficulty: number): bigint {
  if (!isPuzzleSize(k, difficulty)) throw new RangeError(`no puzzle: k = ${k}, D = ${difficulty}`);
  return (BigInt(k) << 64n) / BigInt(difficulty);
}

/** `target` as two u32 halves. */
export function targetWords(k: number, difficulty: number): TargetWords {
  const whole = target(k, difficulty);
  return { high: Number(whole >> 32n), low: Number(whole & 0xffff_ffffn) };
}

/**
 * Keeps these hashes apart from other uses. All algorithms share it: the signed challenge bytes
 * name the algorithm.
 */
const SEED_LABEL = Uint8Array.from("stile/pow/1", (character) => character.charCodeAt(0));
const DIGEST_BYTES = 32;

/**
 * The 32-byte seed of function `index`: `SHA-256("stile/pow/1" | challenge | environment digest |
 * u32le(index))`. `challengeBytes` is the packed challenge with its MAC, so nothing can be computed
 * before it is issued. `environmentDigest` (32 bytes) commits the client to the environment signals
 * that it will submit.
 */
export function seedFor(
  sha256: Sha256,
  challengeBytes: Uint8Array,
  environmentDigest: Uint8Array,
  index: number,
): Uint8Array {
  if (environmentDigest.length !== DIGEST_BYTES)
    throw new RangeError("an environment digest is 32 bytes");
  const digestAt = SEED_LABEL.length + challengeBytes.length;
  const message = new Uint8Array(digestAt + DIGEST_BYTES + 4);
  message.set(SEED_LABEL);
  message.set(challengeBytes, SEED_LABEL.length);
  message.set(environmentDigest, digestAt);
  new DataView(message.buffer).setUint32(digestAt + DIGEST_BYTES, index, true);
  return sha256(message);
}
