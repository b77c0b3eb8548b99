import { assembleModule, type Code, signed, unsigned } from "./assemble-module.ts";
import {
  drawFunction,
  emitProgram,
  FREE_I32,
  FREE_I64,
  hashFunction,
  REGISTER,
  SCRATCHPAD_MASK,
} from "./hash-code.ts";
import {
  BRANCH_IF,
  END,
  GET,
  I32_ADD,
  I32_CONST,
  I32_EQ,
  I32_LOAD8_U,
  I32_LT_U,
  I32_REM_U,
  I32_SHL,
  I32_SUB,
  I32_WRAP_I64,
  I64_ADD,
  I64_AND,
  I64_CONST,
  I64_LOAD,
  I64_LOAD8_U,
  I64_MUL,
  I64_OR,
  I64_ROTR,
  I64_SHR_S,
  I64_SHR_U,
  I64_STORE,
  I64_SUB,
  I64_XOR,
  LOOP,
  SELECT,
  SET,
  TEE,
  VOID,
} from "./opcodes.ts";
import {
  INSTRUCTION_BYTES,
  NUMBERS,
  PROGRAM_BYTES,
  scratchpadOffset,
  TABLE_BYTES,
} from "./program.ts";

/**
 * Where R0..R9 are in memory while programs run: the register that an instruction uses is known
 * only at run time.
 */
const REGISTERS_AT = 2048;
/** Where the module expects the program table in memory. */
export const TABLE_AT = 4096;
/** Where `draw` leaves the numbers that programs are made from. */
export const NUMBERS_AT = 8192;

const LOAD_REGISTER = [I64_LOAD, 3, ...unsigned(REGISTERS_AT)];

const VALUE = FREE_I64;
const IMMEDIATE = FREE_I64 + 1;
const OPERAND = FREE_I64 + 2;
const FLAG = FREE_I64 + 3;
/** Offset of the current program in the table. */
const PROGRAM = FREE_I32;
const TARGET_AT = FREE_I32 + 1;
const OPERATION = FREE_I32 + 2;

type OperatorChoice = readonly [number, number, number];
/** True if `compare`, applied to `OPERATION` and the value, is true. */
type Condition = readonly [compare: number, value: number];

/**
 * Applies one of three operators to the value and to `right`: the first if the first condition is
 * true, else the second if the second condition is, else the third. It computes all three, because
 * that costs less than branches that the processor cannot predict.
 */
function emitChoice(
  code: Code,
  right: number,
  operators: OperatorChoice,
  [first, second]: readonly [Condition, Condition],
): void {
  for (const operator of operators) code.push(GET, VALUE, GET, right, operator);
  for (const [compare, value] of [second, first])
    code.push(GET, OPERATION, I32_CONST, value, compare, SELECT);
}

function emitXas(code: Code): void {
  const shifts: OperatorChoice = [I64_ROTR, I64_SHR_S, I64_SHR_U];
  emitChoice(code, IMMEDIATE, shifts, [
    [I32_LT_U, 3],
    [I32_LT_U, 6],
  ]);
  code.push(SET, VALUE, GET, OPERATION, I32_CONST, 3, I32_REM_U, SET, OPERATION);
  emitChoice(
    code,
    OPERAND,
    [I64_XOR, I64_ADD, I64_SUB],
    [
      [I32_EQ, 0],
      [I32_EQ, 1],
    ],
  );
}

function emitMul(code: Code): void {
  emitChoice(
    code,
    IMMEDIATE,
    [I64_OR, I64_XOR, I64_ADD],
    [
      [I32_EQ, 0],
      [I32_EQ, 1],
    ],
  );
  code.push(GET, OPERAND, I64_MUL);
}

/** Emits the instruction at `place` of the current program. */
function emitInstruction(code: Code, place: number, readsMemory: boolean): void {
  const at = TABLE_AT + INSTRUCTION_BYTES * place;
  code.push(GET, PROGRAM, I32_LOAD8_U, 0, ...unsigned(at), SET, OPERATION);
  code.push(
    GET,
    PROGRAM,
    I32_LOAD8_U,
    0,
    ...unsigned(at + 1),
    I32_CONST,
    3,
    I32_SHL,
    TEE,
    TARGET_AT,
  );
  code.push(...LOAD_REGISTER, SET, VALUE);
  code.push(
    GET,
    PROGRAM,
    I32_LOAD8_U,
    0,
    ...unsigned(at + 2),
    I32_CONST,
    3,
    I32_SHL,
    ...LOAD_REGISTER,
  );
  if (readsMemory && place > 0)
    code.push(I64_CONST, ...SCRATCHPAD_MASK, I64_AND, I32_WRAP_I64, I64_LOAD, 3, 0);
  code.push(
    SET,
    OPERAND,
    GET,
    PROGRAM,
    I64_LOAD8_U,
    0,
    ...unsigned(at + 3),
    SET,
    IMMEDIATE,
    GET,
    TARGET_AT,
  );
  if (place === 0)
    code.push(GET, VALUE, GET, OPERAND, I64_MUL, GET, IMMEDIATE, I64_ROTR, TEE, FLAG);
  else if (place % 2 === 1) emitXas(code);
  else emitMul(code);
  code.push(I64_STORE, 3, ...unsigned(REGISTERS_AT));
}

/** Copies R0..R7 to the scratchpad, where a program takes twice as many bytes as in the table. */
function emitScratchpadStores(code: Code): void {
  const lowest = scratchpadOffset(0, 7);
  for (let register = 0; register < 8; register++) {
    code.push(I32_CONST, ...signed(BigInt(lowest)), GET, PROGRAM, I32_CONST, 1, I32_SHL, I32_SUB);
    code.push(I32_CONST, 0, I64_LOAD, 3, ...unsigned(REGISTERS_AT + 8 * register));
    code.push(I64_STORE, 3, ...unsigned(scratchpadOffset(0, register) - lowest));
  }
}

function emitPhase(code: Code, readsMemory: boolean): void {
  for (let register = 0; register < 10; register++) {
    code.push(
      I32_CONST,
      0,
      GET,
      REGISTER + register,
      I64_STORE,
      3,
      ...unsigned(REGISTERS_AT + 8 * register),
    );
  }
  code.push(I32_CONST, 0, SET, PROGRAM, LOOP, VOID);
  emitProgram(code, (place) => emitInstruction(code, place, readsMemory), FLAG);
  if (!readsMemory) emitScratchpadStores(code);
  code.push(GET, PROGRAM, I32_CONST, PROGRAM_BYTES, I32_ADD, TEE, PROGRAM);
  code.push(I32_CONST, ...signed(BigInt(TABLE_BYTES)), I32_LT_U, BRANCH_IF, 0, END);
  for (let register = 0; register < 8; register++) {
    code.push(
      I32_CONST,
      0,
      I64_LOAD,
      3,
      ...unsigned(REGISTERS_AT + 8 * register),
      SET,
      REGISTER + register,
    );
  }
}

/**
 * One module for all functions: its `hash` interprets the program table at `TABLE_AT` of the
 * memory. It runs half as fast as the module of `emitSearchModule`, but is compiled only once:
 * compiling does not pay for the few hashes of a check. Its `draw` speeds up the part on which a
 * check would otherwise spend most time.
 */
export const emitCheckModule = (): Uint8Array<ArrayBuffer> =>
  assembleModule([hashFunction(emitPhase), drawFunction(NUMBERS_AT, NUMBERS)]);
