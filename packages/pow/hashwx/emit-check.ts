import { emitBranch, emitEnd, emitStart, FIRST_FREE, HASH_PARAMETERS, R } from "./emit-frame.ts";
import { INSTRUCTION_BYTES, PROGRAM_BYTES, TABLE_BYTES } from "./program.ts";
import * as W from "./wasm-code.ts";
const { GET, SET, TEE, I64_CONST, I64_AND, I32_WRAP_I64, I64_LOAD, I64_MUL, I64_ROTR, SELECT, I32_CONST, I32_EQZ } = W;
export const TABLE = 4096;
const REGS = 2048;
const X = FIRST_FREE, IMM = X + 1, FLAG = X + 2, S = X + 3, BC = X + 4, SPARE = BC + 1, PC = BC + 2, DST = BC + 3, OP = BC + 4;
const i32c = (n: number) => [I32_CONST, ...W.signed(BigInt(n))];
function emitStep(code: number[], place: number, mem: boolean) {
  const at = INSTRUCTION_BYTES * place + TABLE;
  const field = (f: number) => [GET, PC, W.I32_LOAD8_U, 0, ...W.unsigned(at + f)];
  code.push(...field(1), I32_CONST, 3, W.I32_SHL, TEE, DST, I64_LOAD, 3, ...W.unsigned(REGS), SET, X);
  code.push(GET, PC, W.I64_LOAD8_U, 0, ...W.unsigned(at + 3), SET, IMM);
  code.push(...field(2), I32_CONST, 3, W.I32_SHL, I64_LOAD, 3, ...W.unsigned(REGS));
  if (mem && place > 0) code.push(I64_CONST, ...W.signed(2040n), I64_AND, I32_WRAP_I64, I64_LOAD, 3, 0);
  code.push(SET, S);
  code.push(GET, DST);
  const three = (a: number[], b: number[], c: number[], isA: number[], isB: number[]) => code.push(...a, ...b, ...c, ...isB, SELECT, ...isA, SELECT);
  if (place === 0) code.push(GET, X, GET, S, I64_MUL, GET, IMM, I64_ROTR, TEE, FLAG);
  else {
    code.push(...field(0), SET, OP);
    if (place % 2 === 0) {
      const f = (op: number) => [GET, X, GET, IMM, op];
      three(f(W.I64_OR), f(W.I64_XOR), f(W.I64_ADD), [GET, OP, I32_EQZ], [GET, OP, I32_CONST, 1, 0x46]);
      code.push(GET, S, I64_MUL);
    } else {
      const f = (op: number) => [GET, X, GET, IMM, op];
      three(f(W.I64_ROTR), f(W.I64_SHR_S), f(W.I64_SHR_U), [GET, OP, I32_CONST, 3, W.I32_LT_U], [GET, OP, I32_CONST, 6, W.I32_LT_U]);
      code.push(SET, X);
      const g = (op: number) => [GET, X, GET, S, op];
      code.push(GET, OP, I32_CONST, 3, W.I32_REM_U, SET, OP);
      three(g(W.I64_XOR), g(W.I64_ADD), g(W.I64_SUB), [GET, OP, I32_EQZ], [GET, OP, I32_CONST, 1, 0x46]);
    }
  }
  code.push(W.I64_STORE, 3, ...W.unsigned(REGS));
}
export function emitCheckModule() {
  const code: number[] = [];
  emitStart(code);
  for (let i = 0; i < 10; i++) code.push(I32_CONST, 0, GET, R + i, W.I64_STORE, 3, ...W.unsigned(REGS + 8 * i));
  for (const mem of [false, true]) {
    code.push(I32_CONST, 32, SET, BC, I32_CONST, 0, SET, PC);
    code.push(W.LOOP, W.VOID, W.LOOP, W.VOID);
    for (let p = 0; p < 7; p++) emitStep(code, p, mem);
    emitBranch(code, FLAG, BC);
    code.push(W.END);
    emitStep(code, 7, mem);
    if (!mem) for (let j = 0; j < 8; j++)
      code.push(...i32c(2040 - 56), GET, PC, I32_CONST, 1, W.I32_SHL, W.I32_SUB, I32_CONST, 0, I64_LOAD, 3, ...W.unsigned(REGS + 8 * j), W.I64_STORE, 3, 56 - 8 * j);
    code.push(GET, PC, ...i32c(PROGRAM_BYTES), W.I32_ADD, TEE, PC, ...i32c(TABLE_BYTES), W.I32_LT_U, W.BRANCH_IF, 0, W.END);
  }
  for (let i = 0; i < 8; i++) code.push(I32_CONST, 0, I64_LOAD, 3, ...W.unsigned(REGS + 8 * i), SET, R + i);
  emitEnd(code);
  return W.assembleModule([{ name: "hash", parameters: HASH_PARAMETERS, result: W.I64, i64Locals: 14, i32Locals: 5, body: code }]);
}
