import type { TargetWords } from "./algorithms/puzzle-function.ts";
import type { AlgorithmNumber } from "./algorithms/table.ts";

/** SHA-256 of whole bytes, 32 bytes: an argument, because a server has a native one and a browser on plain http has none. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** k, the distinct nonces a solution holds: sixteen easy ones vary far less in time than a single hard one (p95/p50 1.47, not 4.3). */
export const NONCES_PER_SOLUTION = 16;

/** Bytes of a solution with `NONCES_PER_SOLUTION` nonces, a u32 each. */
export const SOLUTION_BYTES = 4 * NONCES_PER_SOLUTION;

/** Nonces that share one function; nonce `n` is input `n % 65536` of function `floor(n / 65536)`. */
export const NONCES_PER_FUNCTION = 65_536;

/** The greatest D, the number of hashes expected of an honest solver, whose nonces (all below 8 D) are still u32. */
export const MAX_DIFFICULTY = 2 ** 29;

/**
 * D before any adjustment, so that the honest wait of one worker is about the same for every algorithm: 2^17 hashes of HashWX at
 * 1,500 kH/s take 87 ms, 2^19 of algorithm 2 at 4,400 kH/s 119 ms, in Chromium on one server core, compilation included; a slow
 * laptop needs up to twice that. Measured with the commands in `measure/rate.ts`.
 */
export const BASE_DIFFICULTY: Readonly<Record<AlgorithmNumber, number>> = { 1: 2 ** 17, 2: 2 ** 19 };

/** Whether k nonces of D expected hashes are a puzzle: whole numbers, k in 1..255, k < D <= `MAX_DIFFICULTY`. */
export const isPuzzleSize = (k: number, difficulty: number): boolean =>
  Number.isInteger(k) &&
  Number.isInteger(difficulty) &&
  k >= 1 &&
  k <= 255 &&
  difficulty > k &&
  difficulty <= MAX_DIFFICULTY;

/** D for an adjustment in powers of two, held within -1..+6, so that neither relief nor pressure runs away. */
export const difficultyFor = (base: number, exponentOffset: number): number =>
  Math.floor(base * 2 ** Math.min(6, Math.max(-1, exponentOffset)));

/** The first nonce that is out of range: 8 D; an honest solver needs more with a probability below 10^-30. */
export const nonceBound = (difficulty: number): number => 8 * difficulty;

/** The u64 that a nonce's hash must stay below, `floor(2^64 * k / D)`; throws RangeError for a size that is no puzzle. */
export function target(k: number, difficulty: number): bigint {
  if (!isPuzzleSize(k, difficulty)) throw new RangeError(`no puzzle: k = ${k}, D = ${difficulty}`);
  return (BigInt(k) << 64n) / BigInt(difficulty);
}

/** `target` as two u32 halves. */
export function targetWords(k: number, difficulty: number): TargetWords {
  const whole = target(k, difficulty);
  return { high: Number(whole >> 32n), low: Number(whole & 0xffff_ffffn) };
}

/** Domain separation; the same for every algorithm, whose number stands in the signed challenge bytes. */
const SEED_LABEL = Uint8Array.from("stile/pow/1", (character) => character.charCodeAt(0));
const DIGEST_BYTES = 32;

/**
 * The 32-byte seed of function `index`: `SHA-256("stile/pow/1" | challenge | environment digest | u32le(index))`. `challengeBytes` is
 * the packed challenge with its MAC, so nothing can be computed ahead of it; `environmentDigest`, 32 bytes, commits the client
 * to the environment signals it will hand in.
 */
export function seedFor(
  sha256: Sha256,
  challengeBytes: Uint8Array,
  environmentDigest: Uint8Array,
  index: number,
): Uint8Array {
  if (environmentDigest.length !== DIGEST_BYTES) throw new RangeError("an environment digest is 32 bytes");
  const digestAt = SEED_LABEL.length + challengeBytes.length;
  const message = new Uint8Array(digestAt + DIGEST_BYTES + 4);
  message.set(SEED_LABEL);
  message.set(challengeBytes, SEED_LABEL.length);
  message.set(environmentDigest, digestAt);
  new DataView(message.buffer).setUint32(digestAt + DIGEST_BYTES, index, true);
  return sha256(message);
}
