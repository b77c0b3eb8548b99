import {
  BRANCH, IF, END, GET, I32_CONST, I32_EQZ, I32_SUB, I64, I64_ADD, I64_AND, I64_CONST, I64_EQZ, I64_OR, I64_ROTL, I64_XOR, SET, VOID, I32_AND, signed, TEE, BRANCH_IF, I32_LT_U,
} from "./wasm-code.ts";
/** Parameters of hash. */
export const HASH_PARAMETERS = [I64, I64, I64];
const NONCE = 0, KEY0 = 1, KEY1 = 2;
/** R0 */
export const R = 3;
export const FIRST_FREE = 13;
const START = [0x736f6d6570736575n, 0x646f72616e646f6dn, 0x6c7967656e657261n, 0x7465646279746573n];
function emitAddXorRotate(code: number[], a: number, b: number, bits: number) {
  code.push(GET, a, GET, b, I64_ADD, SET, a, GET, b, I64_CONST, ...signed(BigInt(bits)), I64_ROTL, GET, a, I64_XOR, SET, b);
}
function emitRound(code: number[], v0: number, v1: number, v2: number, v3: number) {
  emitAddXorRotate(code, v0, v1, 13);
  emitAddXorRotate(code, v2, v3, 16);
  code.push(GET, v0, I64_CONST, 32, I64_ROTL, SET, v0);
  emitAddXorRotate(code, v2, v1, 17);
  emitAddXorRotate(code, v0, v3, 21);
  code.push(GET, v2, I64_CONST, 32, I64_ROTL, SET, v2);
}
export function emitStart(code: number[]) {
  const V = [R + 7, R + 6, R + 5, R + 4] as const;
  const rounds = (n: number) => { for (let i = 0; i < n; i++) emitRound(code, ...V); };
  START.forEach((s, i) => code.push(I64_CONST, ...signed(BigInt.asIntN(64, s)), GET, i & 1 ? KEY1 : KEY0, I64_XOR, SET, V[i]!));
  code.push(GET, V[3], GET, NONCE, I64_XOR, SET, V[3]);
  rounds(1);
  code.push(GET, V[0], GET, NONCE, I64_XOR, SET, V[0]);
  code.push(GET, V[2], I64_CONST, ...signed(0xbbn), I64_XOR, SET, V[2]);
  rounds(3);
  for (let i = 0; i < 4; i++) code.push(GET, R + 4 + i, SET, R + i);
  V.forEach((v, i) => code.push(GET, v, GET, i & 1 ? KEY1 : KEY0, I64_XOR, SET, v));
  rounds(4);
  code.push(GET, R + 4, I64_CONST, 0x78, I64_AND, I64_CONST, 3, I64_OR, SET, R + 8);
  code.push(GET, R + 7, I64_CONST, 0x78, I64_AND, I64_CONST, 5, I64_OR, SET, R + 9);
}
export function emitEnd(code: number[]) {
  emitRound(code, R, R+1, R+2, R+3);
  emitRound(code, R+4, R+5, R+6, R+7);
  code.push(GET, R+3, GET, R+7, I64_XOR, GET, R+9, I64_XOR);
}
export let VARIANT = { v: 0 };
export function emitBranch(code: number[], reg: number, bc: number) {
  if (VARIANT.v === 0) code.push(GET, reg, I64_CONST, 32, I64_AND, I64_EQZ, IF, VOID, GET, bc, IF, VOID, GET, bc, I32_CONST, 1, I32_SUB, SET, bc, BRANCH, 2, END, END);
  else if (VARIANT.v === 1) code.push(GET, reg, I64_CONST, 32, I64_AND, I64_EQZ, GET, bc, I32_CONST, 0, 0x47, I32_AND, IF, VOID, GET, bc, I32_CONST, 1, I32_SUB, SET, bc, BRANCH, 1, END);
  else code.push(GET, reg, I64_CONST, 32, I64_AND, I64_EQZ, GET, bc, I32_CONST, 0, 0x47, I32_AND, TEE, bc + 1, GET, bc, GET, bc+1, I32_SUB, SET, bc, BRANCH_IF, 0);
}
