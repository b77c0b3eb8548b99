import { INSTRUCTION_BYTES, PROGRAM_BYTES, type ProgramTable, TABLE_BYTES } from "./program.ts";
import { drawNumbers, runSipRounds } from "./sip-generator.ts";

/** Evaluates `H` of one seed; `words` after `run` hold the hash. */
export type Interpreter = {
  /** Computes `H(nonce)`, a u64 as pair; the answer stands in `result` until the next call. */
  readonly run: (nonceLow: number, nonceHigh: number) => void;
  /** Low and high half of the last hash, unsigned. */
  readonly result: Uint32Array;
};

/** Where the registers R0..R9 begin in `words`, after the 256 u64 of the scratchpad. */
const REGISTERS = 512;
const BRANCHES_PER_PHASE = 32;
const OFFSET_MASK = 2040;

/** One function in plain JavaScript: for browsers without WebAssembly, and the reference that the compiled forms are held against. */
export function createInterpreter(seedWords: Int32Array, table: ProgramTable): Interpreter {
  const words = new Int32Array(REGISTERS + 20);
  const result = new Uint32Array(2);
  let isRegisterOperand = true;

  const operandAt = (source: number): number => {
    const at = REGISTERS + 2 * source;
    return isRegisterOperand ? at : ((words[at] as number) & OFFSET_MASK) >>> 2;
  };

  const multiplyInto = (at: number, low: number, high: number, byAt: number): void => {
    const byLow = words[byAt] as number;
    const lowProduct = Math.imul(low, byLow);
    // The double product is off by less than 2^11, its distance to the exact low half so nearly a multiple of 2^32 that rounding mends it.
    const carried = ((low >>> 0) * (byLow >>> 0) - (lowProduct >>> 0)) * 2 ** -32 + 0.5;
    words[at] = lowProduct;
    words[at + 1] = (carried | 0) + Math.imul(low, words[byAt + 1] as number) + Math.imul(high, byLow);
  };

  const rotateInto = (at: number, low: number, high: number, bits: number): void => {
    const isSwapped = bits >= 32;
    const upper = isSwapped ? low : high;
    const lower = isSwapped ? high : low;
    const left = (32 - bits) & 31;
    if ((bits & 31) === 0) {
      words[at] = lower;
      words[at + 1] = upper;
      return;
    }
    words[at] = (lower >>> bits) | (upper << left);
    words[at + 1] = (upper >>> bits) | (lower << left);
  };

  const runRmcg = (at: number): boolean => {
    const target = REGISTERS + 2 * (table[at + 1] as number);
    multiplyInto(
      target,
      words[target] as number,
      words[target + 1] as number,
      REGISTERS + 2 * (table[at + 2] as number),
    );
    rotateInto(target, words[target] as number, words[target + 1] as number, table[at + 3] as number);
    return ((words[target] as number) & 32) !== 0;
  };

  const runMul = (at: number): void => {
    const target = REGISTERS + 2 * (table[at + 1] as number);
    const immediate = table[at + 3] as number;
    let low = words[target] as number;
    let high = words[target + 1] as number;
    const operation = table[at] as number;
    if (operation === 0) low |= immediate;
    else if (operation === 1) low ^= immediate;
    else {
      low = (low + immediate) | 0;
      high = (high + (low >>> 0 < immediate ? 1 : 0)) | 0;
    }
    multiplyInto(target, low, high, operandAt(table[at + 2] as number));
  };

  const runXas = (at: number): void => {
    const operation = table[at] as number;
    const target = REGISTERS + 2 * (table[at + 1] as number);
    const immediate = table[at + 3] as number;
    const source = operandAt(table[at + 2] as number);
    const low = words[target] as number;
    const high = words[target + 1] as number;
    if (operation < 3) rotateInto(target, low, high, immediate);
    else {
      words[target] = (low >>> immediate) | (high << (32 - immediate));
      words[target + 1] = operation < 6 ? high >> immediate : high >>> immediate;
    }
    const sourceLow = words[source] as number;
    const sourceHigh = words[source + 1] as number;
    const shiftedLow = words[target] as number;
    const shiftedHigh = words[target + 1] as number;
    if (operation % 3 === 0) {
      words[target] = shiftedLow ^ sourceLow;
      words[target + 1] = shiftedHigh ^ sourceHigh;
    } else if (operation % 3 === 1) {
      const sum = (shiftedLow + sourceLow) | 0;
      words[target] = sum;
      words[target + 1] = shiftedHigh + sourceHigh + (sum >>> 0 < sourceLow >>> 0 ? 1 : 0);
    } else {
      words[target] = shiftedLow - sourceLow;
      words[target + 1] = shiftedHigh - sourceHigh - (shiftedLow >>> 0 < sourceLow >>> 0 ? 1 : 0);
    }
  };

  const runPhase = (): void => {
    let branches = BRANCHES_PER_PHASE;
    for (let at = 0; at < TABLE_BYTES; at += PROGRAM_BYTES) {
      for (;;) {
        const flag = runRmcg(at);
        for (let i = 1; i < 6; i += 2) {
          runXas(at + INSTRUCTION_BYTES * i);
          runMul(at + INSTRUCTION_BYTES * (i + 1));
        }
        if (flag || branches === 0) break;
        branches -= 1;
      }
      runXas(at + INSTRUCTION_BYTES * 7);
      if (isRegisterOperand) {
        const last = (2040 - 2 * at) >>> 2;
        for (let j = 0; j < 8; j++) {
          words[last - 2 * j] = words[REGISTERS + 2 * j] as number;
          words[last - 2 * j + 1] = words[REGISTERS + 2 * j + 1] as number;
        }
      }
    }
  };

  const run = (nonceLow: number, nonceHigh: number): void => {
    drawNumbers(seedWords, 4, nonceLow, nonceHigh, words, REGISTERS, 8);
    words[REGISTERS + 16] = ((words[REGISTERS + 8] as number) & ~7) | 3;
    words[REGISTERS + 17] = words[REGISTERS + 9] as number;
    words[REGISTERS + 18] = ((words[REGISTERS + 14] as number) & ~7) | 5;
    words[REGISTERS + 19] = words[REGISTERS + 15] as number;
    isRegisterOperand = true;
    runPhase();
    isRegisterOperand = false;
    runPhase();
    runSipRounds(words, REGISTERS, 1);
    runSipRounds(words, REGISTERS + 8, 1);
    for (let half = 0; half < 2; half++) {
      result[half] =
        (words[REGISTERS + 6 + half] as number) ^
        (words[REGISTERS + 14 + half] as number) ^
        (words[REGISTERS + 18 + half] as number);
    }
  };

  return { run, result };
}
