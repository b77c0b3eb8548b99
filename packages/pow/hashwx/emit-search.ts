import { emitBranch, emitEnd, emitStart, FIRST_FREE, HASH_PARAMETERS, R } from "./emit-frame.ts";
import { INSTRUCTION_BYTES, INSTRUCTIONS, PROGRAM_BYTES, PROGRAMS, type ProgramTable } from "./program.ts";
import * as W from "./wasm-code.ts";
const { GET, SET, I64_CONST, I64_AND, I32_WRAP_I64, I64_LOAD, I64_MUL, I64_ROTR } = W;
const MULS = [W.I64_OR, W.I64_XOR, W.I64_ADD];
const SHIFTS = [W.I64_ROTR, W.I64_SHR_S, W.I64_SHR_U];
const OPS = [W.I64_XOR, W.I64_ADD, W.I64_SUB];
const BC = FIRST_FREE;
function emitInstruction(code: number[], table: ProgramTable, at: number, place: number, mem: boolean) {
  const op = table[at]!, dst = R + table[at + 1]!, src = R + table[at + 2]!, imm = table[at + 3]!;
  const immb = W.signed(BigInt(imm));
  const operand = mem && place > 0 ? [GET, src, I64_CONST, ...W.signed(2040n), I64_AND, I32_WRAP_I64, I64_LOAD, 3, 0] : [GET, src];
  if (place === 0) code.push(GET, dst, ...operand, I64_MUL, I64_CONST, ...immb, I64_ROTR, SET, dst);
  else if (place % 2) code.push(GET, dst, I64_CONST, ...immb, SHIFTS[Math.floor(op / 3)]!, ...operand, OPS[op % 3]!, SET, dst);
  else code.push(GET, dst, I64_CONST, ...immb, MULS[op]!, ...operand, I64_MUL, SET, dst);
}
export function emitSearchModule(table: ProgramTable) {
  const code: number[] = [];
  emitStart(code);
  for (const mem of [false, true]) {
    code.push(W.I32_CONST, 32, SET, BC);
    for (let i = 0; i < PROGRAMS; i++) {
      const at = PROGRAM_BYTES * i;
      code.push(W.LOOP, W.VOID);
      for (let p = 0; p < 7; p++) emitInstruction(code, table, at + INSTRUCTION_BYTES * p, p, mem);
      emitBranch(code, R + table[at + 1]!, BC);
      code.push(W.END);
      emitInstruction(code, table, at + INSTRUCTION_BYTES * 7, 7, mem);
      if (!mem) for (let j = 0; j < 8; j++) code.push(W.I32_CONST, 0, GET, R + j, W.I64_STORE, 3, ...W.unsigned(2040 - 64 * i - 8 * j));
    }
  }
  emitEnd(code);
  const body = [
    W.LOOP, W.VOID,
    GET, 0, GET, 1, W.I32_LT_U, W.IF, W.VOID,
    GET, 0, W.I64_EXTEND_I32_U, GET, 3, GET, 4, W.CALL, 0, GET, 2, W.I64_LT_U, W.I32_EQZ, W.IF, W.VOID,
    GET, 0, W.I32_CONST, 1, W.I32_ADD, SET, 0, W.BRANCH, 2, W.END, W.END, W.END, GET, 0];
  return W.assembleModule([
    { name: "hash", parameters: HASH_PARAMETERS, result: W.I64, i64Locals: 10, i32Locals: 2, body: code },
    { name: "search", parameters: [W.I32, W.I32, W.I64, W.I64, W.I64], result: W.I32, i64Locals: 0, i32Locals: 0, body },
  ]);
}
