import { assembleModule, type Code, unsigned, type WasmFunction } from "./assemble-module.ts";
import { emitProgram, hashFunction, REGISTER, SCRATCHPAD_MASK } from "./hash-code.ts";
import {
  BRANCH,
  CALL,
  END,
  GET,
  I32,
  I32_ADD,
  I32_CONST,
  I32_EQZ,
  I32_LT_U,
  I32_WRAP_I64,
  I64,
  I64_ADD,
  I64_AND,
  I64_CONST,
  I64_EXTEND_I32_U,
  I64_LOAD,
  I64_LT_U,
  I64_MUL,
  I64_OR,
  I64_ROTR,
  I64_SHR_S,
  I64_SHR_U,
  I64_STORE,
  I64_SUB,
  I64_XOR,
  IF,
  LOOP,
  SET,
  VOID,
} from "./opcodes.ts";
import {
  INSTRUCTION_BYTES,
  PROGRAM_BYTES,
  PROGRAMS,
  type ProgramTable,
  scratchpadOffset,
} from "./program.ts";

const MUL = [I64_OR, I64_XOR, I64_ADD] as const;
const XAS_SHIFT = [I64_ROTR, I64_SHR_S, I64_SHR_U] as const;
const XAS_COMBINE = [I64_XOR, I64_ADD, I64_SUB] as const;

/** Emits the instruction at `place` of a program, given by its bytes in the table. */
function emitInstruction(
  code: Code,
  instruction: Uint8Array,
  place: number,
  readsMemory: boolean,
): void {
  const operation = instruction[0] as number;
  const target = REGISTER + (instruction[1] as number);
  const source = REGISTER + (instruction[2] as number);
  // Less than 64, so its LEB128 form is the number itself.
  const immediate = instruction[3] as number;
  const emitOperand = (): void => {
    code.push(GET, source);
    if (readsMemory && place > 0)
      code.push(I64_CONST, ...SCRATCHPAD_MASK, I64_AND, I32_WRAP_I64, I64_LOAD, 3, 0);
  };
  code.push(GET, target);
  if (place === 0) {
    emitOperand();
    code.push(I64_MUL, I64_CONST, immediate, I64_ROTR, SET, target);
    return;
  }
  const isXas = place % 2 === 1;
  code.push(
    I64_CONST,
    immediate,
    (isXas ? XAS_SHIFT[Math.floor(operation / 3)] : MUL[operation]) as number,
  );
  emitOperand();
  code.push(isXas ? (XAS_COMBINE[operation % 3] as number) : I64_MUL, SET, target);
}

function emitPhase(code: Code, table: ProgramTable, readsMemory: boolean): void {
  for (let program = 0; program < PROGRAMS; program++) {
    const at = PROGRAM_BYTES * program;
    const flag = REGISTER + (table[at + 1] as number);
    emitProgram(
      code,
      (place) =>
        emitInstruction(code, table.subarray(at + INSTRUCTION_BYTES * place), place, readsMemory),
      flag,
    );
    if (readsMemory) continue;
    for (let register = 0; register < 8; register++) {
      code.push(I32_CONST, 0, GET, REGISTER + register);
      code.push(I64_STORE, 3, ...unsigned(scratchpadOffset(program, register)));
    }
  }
}

/**
 * `search(from, to, target, b0, b1)`: the first nonce in `[from, to)` whose hash is below the
 * target, or `to`.
 */
const searchFunction = (): WasmFunction => {
  const [from, to, target, key0, key1] = [0, 1, 2, 3, 4] as const;
  return {
    name: "search",
    parameters: [I32, I32, I64, I64, I64],
    results: [I32],
    i64Locals: 0,
    i32Locals: 0,
    body: [
      ...[LOOP, VOID, GET, from, GET, to, I32_LT_U, IF, VOID],
      ...[
        GET,
        from,
        I64_EXTEND_I32_U,
        GET,
        key0,
        GET,
        key1,
        CALL,
        0,
        GET,
        target,
        I64_LT_U,
        I32_EQZ,
        IF,
        VOID,
      ],
      ...[GET, from, I32_CONST, 1, I32_ADD, SET, from, BRANCH, 2, END, END, END, GET, from],
    ],
  };
};

/**
 * A module for one function: its 32 programs unrolled into `hash`, and `search` around it. `hash`
 * is a separate function because engines switch to the optimized form of a function when it is
 * called, not while it runs.
 */
export const emitSearchModule = (table: ProgramTable): Uint8Array<ArrayBuffer> =>
  assembleModule([
    hashFunction((code, readsMemory) => emitPhase(code, table, readsMemory)),
    searchFunction(),
  ]);
