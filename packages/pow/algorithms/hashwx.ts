import { emitCheckModule, NUMBERS_AT, TABLE_AT } from "../hashwx/check-module.ts";
import { createInterpreter } from "../hashwx/interpreter.ts";
import { lazily } from "../hashwx/lazily.ts";
import { generatePrograms, NUMBERS, programsOf } from "../hashwx/program.ts";
import { emitSearchModule } from "../hashwx/search-module.ts";
import { seedWordsOf, toU64, toU64s } from "../hashwx/seed-words.ts";
import { type CheckExports, instantiate, type SearchExports } from "../hashwx/webassembly.ts";
import type { Algorithm, PuzzleFunction, TargetWords } from "./puzzle-function.ts";

/**
 * Nonces that one call into a module tries. Between two calls an engine can switch to the optimized
 * `hash`.
 */
const NONCES_PER_CALL = 256;

/**
 * The salt of the program generator; it keeps the generator apart from the hash, which uses nonces
 * as salts.
 */
const PROGRAM_SALT = 2n ** 64n - 1n;

const checkModule = lazily(() => instantiate<CheckExports>(emitCheckModule()));

function createInterpreted(words: Int32Array): PuzzleFunction {
  const { run, result } = createInterpreter(words, generatePrograms(words));
  const isBelow = (input: number, target: TargetWords): boolean => {
    run(input, 0);
    const high = result[1] as number;
    return high === target.high ? (result[0] as number) < target.low : high < target.high;
  };
  const search = (from: number, to: number, target: TargetWords): number => {
    for (let input = from; input < to; input++) if (isBelow(input, target)) return input;
    return to;
  };
  return { isBelow, search };
}

function createCompiledIsBelow(words: Int32Array): PuzzleFunction["isBelow"] | undefined {
  const instance = checkModule();
  if (instance === undefined) return undefined;
  const { exports, memory } = instance;
  const [a0, a1, b0, b1] = toU64s(words);
  exports.draw(PROGRAM_SALT, a0, a1);
  const table = programsOf(new Int32Array(memory.buffer, NUMBERS_AT, 2 * NUMBERS));
  return (input, target) => {
    // All functions share this memory, so the table in it may belong to another function.
    memory.set(table, TABLE_AT);
    return BigInt.asUintN(64, exports.hash(BigInt(input), b0, b1)) < toU64(target.low, target.high);
  };
}

function createCompiledSearch(words: Int32Array): PuzzleFunction["search"] | undefined {
  const instance = instantiate<SearchExports>(emitSearchModule(generatePrograms(words)));
  if (instance === undefined) return undefined;
  const { search } = instance.exports;
  const [, , b0, b1] = toU64s(words);
  return (from, to, target) => {
    const threshold = toU64(target.low, target.high);
    for (let start = from; start < to; ) {
      const end = Math.min(to, start + NONCES_PER_CALL);
      const hit = search(start, end, threshold, b0, b1);
      if (hit < end) return hit;
      start = end;
    }
    return to;
  };
}

/**
 * Algorithm 1, HashWX (by tevador, 2026). A seed describes 32 random programs, which a solver
 * compiles to WebAssembly, so that a browser runs them nearly as fast as native code does; branches
 * and a scratchpad of 2 KiB keep GPUs from gaining much. If WebAssembly is missing or refused,
 * JavaScript interprets the same function. A check has only a few hashes to compute, so it uses one
 * module that is compiled once and interprets the programs.
 */
export const hashwxAlgorithm: Algorithm = {
  createFunction(seed) {
    const words = seedWordsOf(seed);
    const interpreted = lazily(() => createInterpreted(words));
    const isBelow = lazily(() => createCompiledIsBelow(words) ?? interpreted().isBelow);
    const search = lazily(() => createCompiledSearch(words) ?? interpreted().search);
    return {
      isBelow: (input, target) => isBelow()(input, target),
      search: (from, to, target) => search()(from, to, target),
    };
  },
};
