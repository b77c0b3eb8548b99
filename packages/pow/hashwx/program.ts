import { lazily } from "./lazily.ts";
import { listPermutations } from "./permutations.ts";
import { drawNumbers } from "./sip-generator.ts";

/** How many programs a function has. */
export const PROGRAMS = 32;
/** How many computing instructions a program has. A branch lies between the last two. */
export const INSTRUCTIONS = 8;
/** Bytes per instruction: see `ProgramTable`. */
export const INSTRUCTION_BYTES = 4;
/** Bytes per program. */
export const PROGRAM_BYTES = INSTRUCTIONS * INSTRUCTION_BYTES;
/** Bytes of all programs of a function. */
export const TABLE_BYTES = PROGRAMS * PROGRAM_BYTES;

/**
 * The programs of one function, `TABLE_BYTES` bytes. Each instruction is four: `operation` (its
 * number within its kind), `target` register (0..7), `source` register (0..9), `immediate` (0..63).
 * The place decides the kind: the first instruction is RMCG, those at odd places are XAS, the
 * others MUL. No two of a program write the same register.
 */
export type ProgramTable = Uint8Array<ArrayBuffer>;

/**
 * Byte offset in the 2 KiB scratchpad where the first phase leaves `register` (0..7) after
 * `program` (0..31).
 */
export const scratchpadOffset = (program: number, register: number): number =>
  2040 - 64 * program - 8 * register;

const NUMBERS_PER_PROGRAM = 16;
/** How many numbers of `G(a0, a1, 2^64 - 1)` the programs of a function take. */
export const NUMBERS = PROGRAMS * NUMBERS_PER_PROGRAM;
const MUL_OPERATIONS = 3;
const XAS_OPERATIONS = 9;
/**
 * XAS operations from this number on shift by a small amount; those below it rotate by any amount.
 */
const FIRST_SHIFTING_XAS = 3;
const MUL_IMMEDIATES = [1, 9, 33] as const;

const permutations = lazily(listPermutations);

// A u64 modulo a small number; 2^32 modulo these numbers is 4, 1 and 421. Each divisor is written
// into the code, because engines then multiply instead of dividing; with the divisor as a
// parameter, a table takes twice as long.
const modulo63 = (low: number, high: number): number =>
  (4 * ((high >>> 0) % 63) + ((low >>> 0) % 63)) % 63;
const modulo3 = (low: number, high: number): number => (((high >>> 0) % 3) + ((low >>> 0) % 3)) % 3;
const modulo625 = (low: number, high: number): number =>
  (421 * ((high >>> 0) % 625) + ((low >>> 0) % 625)) % 625;

/** The target registers of the program being written, by the place of their instruction. */
const targets = new Uint8Array(INSTRUCTIONS);

/**
 * Writes to `table[tableAt...]` the program that 16 numbers (pairs from `numbers[at]` on) describe.
 */
function writeProgram(numbers: Int32Array, at: number, table: ProgramTable, tableAt: number): void {
  targets[0] = 0;
  for (let place = 1; place < INSTRUCTIONS; place++) {
    const chosen = ((numbers[at + 2 * place - 1] as number) >>> 0) % (place + 1);
    targets[place] = targets[chosen] as number;
    targets[chosen] = place;
  }
  const [low7, high7] = [numbers[at + 14] as number, numbers[at + 15] as number];
  const permutation = permutations()[modulo625(low7, high7)] as readonly number[];
  for (let place = 0; place < INSTRUCTIONS; place++) {
    const low = numbers[at + 2 * place + 16] as number;
    const high = numbers[at + 2 * place + 17] as number;
    const drawn = place === 0 ? 0 : (numbers[at + 2 * place - 2] as number) >>> 0;
    const isXas = place % 2 === 1;
    const operation = isXas ? drawn % XAS_OPERATIONS : drawn % MUL_OPERATIONS;
    const hasAnyShift = place === 0 || (isXas && operation < FIRST_SHIFTING_XAS);
    const instructionAt = tableAt + INSTRUCTION_BYTES * place;
    table[instructionAt] = operation;
    table[instructionAt + 1] = targets[place] as number;
    table[instructionAt + 2] =
      place === 0 ? 8 + (low7 & 1) : (targets[permutation[place] as number] as number);
    table[instructionAt + 3] = hasAnyShift
      ? 1 + modulo63(low, high)
      : isXas
        ? 1 + modulo3(low, high)
        : (MUL_IMMEDIATES[modulo3(low, high)] as number);
  }
}

/** The programs that `NUMBERS` numbers (as pairs) describe. */
export function programsOf(numbers: Int32Array): ProgramTable {
  const table = new Uint8Array(TABLE_BYTES);
  for (let i = 0; i < PROGRAMS; i++)
    writeProgram(numbers, 2 * NUMBERS_PER_PROGRAM * i, table, PROGRAM_BYTES * i);
  return table;
}

/** The programs of a seed; only the first four of its words are used. */
export function generatePrograms(seedWords: Int32Array): ProgramTable {
  const numbers = new Int32Array(2 * NUMBERS);
  drawNumbers({ keys: seedWords, keyAt: 0, saltLow: -1, saltHigh: -1 }, numbers, 0, NUMBERS);
  return programsOf(numbers);
}
