import {
  INSTRUCTION_BYTES,
  PROGRAM_BYTES,
  PROGRAMS,
  type ProgramTable,
  scratchpadOffset,
} from "./program.ts";
import { drawNumbers, runSipRounds } from "./sip-generator.ts";

/** One function in plain JavaScript. A u64 is a pair of 32-bit words, low half first. */
export type Interpreter = {
  /** Computes the hash of a nonce. It stays in `result` until the next call. */
  readonly run: (nonceLow: number, nonceHigh: number) => void;
  /** The last hash, unsigned. */
  readonly result: Uint32Array;
};

/** Where the registers R0..R9 start in the machine's words: after the 256 u64 of the scratchpad. */
const REGISTERS = 512;
const WORDS = REGISTERS + 20;
const BRANCHES_PER_PHASE = 32;

const registerAt = (register: number): number => REGISTERS + 2 * register;

/** `words[at] = (low, high) * words[byAt]`. */
function multiply(words: Int32Array, at: number, low: number, high: number, byAt: number): void {
  const byLow = words[byAt] as number;
  const lowProduct = Math.imul(low, byLow);
  // The double is off by less than 2^11. Minus the exact low half it is so near a multiple of 2^32
  // that rounding is exact.
  const carried = ((low >>> 0) * (byLow >>> 0) - (lowProduct >>> 0)) * 2 ** -32 + 0.5;
  words[at] = lowProduct;
  words[at + 1] =
    (carried | 0) + Math.imul(low, words[byAt + 1] as number) + Math.imul(high, byLow);
}

/** Rotates `words[at]` to the right by 1..63 bits. */
function rotate(words: Int32Array, at: number, bits: number): void {
  const isSwapped = bits >= 32;
  const low = words[isSwapped ? at + 1 : at] as number;
  const high = words[isSwapped ? at : at + 1] as number;
  const isWhole = (bits & 31) === 0;
  // JavaScript treats a shift by 32 as a shift by 0.
  words[at] = isWhole ? low : (low >>> bits) | (high << -bits);
  words[at + 1] = isWhole ? high : (high >>> bits) | (low << -bits);
}

/** Runs the first instruction of a program, and returns whether it sets the branch flag. */
function runRmcg(words: Int32Array, table: ProgramTable, at: number): boolean {
  const target = registerAt(table[at + 1] as number);
  const source = registerAt(table[at + 2] as number);
  multiply(words, target, words[target] as number, words[target + 1] as number, source);
  rotate(words, target, table[at + 3] as number);
  return ((words[target] as number) & 32) !== 0;
}

/**
 * Where the operand of an instruction is: its source register, or the word in the scratchpad that
 * this points to.
 */
function operandAt(words: Int32Array, source: number, readsMemory: boolean): number {
  const at = registerAt(source);
  return readsMemory ? ((words[at] as number) & 2040) >>> 2 : at;
}

function runMul(words: Int32Array, table: ProgramTable, at: number, readsMemory: boolean): void {
  const operation = table[at] as number;
  const target = registerAt(table[at + 1] as number);
  const immediate = table[at + 3] as number;
  let low = words[target] as number;
  let high = words[target + 1] as number;
  if (operation === 0) low |= immediate;
  else if (operation === 1) low ^= immediate;
  else {
    low = (low + immediate) | 0;
    high = (high + (low >>> 0 < immediate ? 1 : 0)) | 0;
  }
  multiply(words, target, low, high, operandAt(words, table[at + 2] as number, readsMemory));
}

function runXas(words: Int32Array, table: ProgramTable, at: number, readsMemory: boolean): void {
  const operation = table[at] as number;
  const target = registerAt(table[at + 1] as number);
  const immediate = table[at + 3] as number;
  if (operation < 3) rotate(words, target, immediate);
  else {
    const high = words[target + 1] as number;
    words[target] = ((words[target] as number) >>> immediate) | (high << -immediate);
    words[target + 1] = operation < 6 ? high >> immediate : high >>> immediate;
  }
  const source = operandAt(words, table[at + 2] as number, readsMemory);
  const low = words[target] as number;
  const high = words[target + 1] as number;
  const otherLow = words[source] as number;
  const otherHigh = words[source + 1] as number;
  if (operation % 3 === 0) {
    words[target] = low ^ otherLow;
    words[target + 1] = high ^ otherHigh;
  } else if (operation % 3 === 1) {
    const sum = (low + otherLow) | 0;
    words[target] = sum;
    words[target + 1] = high + otherHigh + (sum >>> 0 < low >>> 0 ? 1 : 0);
  } else {
    words[target] = low - otherLow;
    words[target + 1] = high - otherHigh - (low >>> 0 < otherLow >>> 0 ? 1 : 0);
  }
}

function runPhase(words: Int32Array, table: ProgramTable, readsMemory: boolean): void {
  let branches = BRANCHES_PER_PHASE;
  for (let program = 0; program < PROGRAMS; program++) {
    const at = PROGRAM_BYTES * program;
    for (;;) {
      const flag = runRmcg(words, table, at);
      for (let place = 1; place < 7; place += 2) {
        runXas(words, table, at + INSTRUCTION_BYTES * place, readsMemory);
        runMul(words, table, at + INSTRUCTION_BYTES * (place + 1), readsMemory);
      }
      if (flag || branches === 0) break;
      branches -= 1;
    }
    runXas(words, table, at + INSTRUCTION_BYTES * 7, readsMemory);
    if (readsMemory) continue;
    for (let register = 0; register < 8; register++) {
      const to = scratchpadOffset(program, register) / 4;
      words[to] = words[registerAt(register)] as number;
      words[to + 1] = words[registerAt(register) + 1] as number;
    }
  }
}

/** Fills the registers from the nonce and the key, which is the last four words of the seed. */
function start(
  words: Int32Array,
  seedWords: Int32Array,
  nonceLow: number,
  nonceHigh: number,
): void {
  const seed = { keys: seedWords, keyAt: 4, saltLow: nonceLow, saltHigh: nonceHigh };
  drawNumbers(seed, words, REGISTERS, 8);
  words[registerAt(8)] = ((words[registerAt(4)] as number) & ~7) | 3;
  words[registerAt(8) + 1] = words[registerAt(4) + 1] as number;
  words[registerAt(9)] = ((words[registerAt(7)] as number) & ~7) | 5;
  words[registerAt(9) + 1] = words[registerAt(7) + 1] as number;
}

/**
 * Evaluates the function of a seed (8 words) and its programs, for engines without WebAssembly.
 * Bigints instead of pairs of 32-bit words were measured: 42 us per hash instead of 8, and without
 * a JIT, where both take 230, no faster.
 */
export function createInterpreter(seedWords: Int32Array, table: ProgramTable): Interpreter {
  const words = new Int32Array(WORDS);
  const result = new Uint32Array(2);
  const run = (nonceLow: number, nonceHigh: number): void => {
    start(words, seedWords, nonceLow, nonceHigh);
    runPhase(words, table, false);
    runPhase(words, table, true);
    runSipRounds(words, registerAt(0), 1);
    runSipRounds(words, registerAt(4), 1);
    for (let half = 0; half < 2; half++) {
      const [r3, r7, r9] = [registerAt(3) + half, registerAt(7) + half, registerAt(9) + half];
      result[half] = (words[r3] as number) ^ (words[r7] as number) ^ (words[r9] as number);
    }
  };
  return { run, result };
}
