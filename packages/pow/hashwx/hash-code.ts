import { type Code, signed, unsigned, type WasmFunction } from "./assemble-module.ts";
import {
  BRANCH,
  BRANCH_IF,
  END,
  GET,
  I32_ADD,
  I32_CONST,
  I32_LT_U,
  I32_SUB,
  I64,
  I64_ADD,
  I64_AND,
  I64_CONST,
  I64_EQZ,
  I64_OR,
  I64_ROTL,
  I64_STORE,
  I64_XOR,
  IF,
  LOOP,
  SET,
  TEE,
  VOID,
} from "./opcodes.ts";
import { INSTRUCTIONS } from "./program.ts";

/**
 * Indices of the parameters: the salt of the generator (for a hash this is the nonce), and the two
 * u64 of its key.
 */
const SALT = 0;
const KEY = [1, 2] as const;
/** The local of register R0; R1..R9 follow. */
export const REGISTER = 3;
/** The first of four i64 locals that the code of a phase may use. */
export const FREE_I64 = REGISTER + 10;
/** How many more branches may be taken in this phase (i32). */
const BRANCHES_LEFT = FREE_I64 + 4;
/** The first of three i32 locals that the code of a phase may use. */
export const FREE_I32 = BRANCHES_LEFT + 1;

/** Parameters and locals that `hash` and `draw` share. */
const LAYOUT = { parameters: [I64, I64, I64], i64Locals: BRANCHES_LEFT - REGISTER, i32Locals: 4 };

/**
 * The bits of a register that form an offset in the scratchpad, as the operand of a constant
 * instruction.
 */
export const SCRATCHPAD_MASK = signed(2040n);

/**
 * The state of the generator is in R7, R6, R5, R4. The order is reversed because its last word is
 * its first number.
 */
const STATE = [REGISTER + 7, REGISTER + 6, REGISTER + 5, REGISTER + 4] as const;
const START = [0x736f6d6570736575n, 0x646f72616e646f6dn, 0x6c7967656e657261n, 0x7465646279746573n];

type FourLocals = readonly [number, number, number, number];

function emitAddXorRotate(code: Code, a: number, b: number, bits: number): void {
  code.push(GET, a, GET, b, I64_ADD, SET, a);
  code.push(GET, b, I64_CONST, bits, I64_ROTL, GET, a, I64_XOR, SET, b);
}

function emitSipRound(code: Code, [v0, v1, v2, v3]: FourLocals): void {
  emitAddXorRotate(code, v0, v1, 13);
  emitAddXorRotate(code, v2, v3, 16);
  code.push(GET, v0, I64_CONST, 32, I64_ROTL, SET, v0);
  emitAddXorRotate(code, v2, v1, 17);
  emitAddXorRotate(code, v0, v3, 21);
  code.push(GET, v2, I64_CONST, 32, I64_ROTL, SET, v2);
}

function emitStateRounds(code: Code, count: number): void {
  for (let round = 0; round < count; round++) emitSipRound(code, STATE);
}

function emitKeyMixing(code: Code): void {
  for (const [i, word] of STATE.entries())
    code.push(GET, word, GET, KEY[i % 2] as number, I64_XOR, SET, word);
}

/** Initializes the generator `G(key, salt)` so that its state holds its first four numbers. */
function emitGeneratorStart(code: Code): void {
  for (const [i, word] of STATE.entries())
    code.push(I64_CONST, ...signed(START[i] as bigint), SET, word);
  emitKeyMixing(code);
  code.push(GET, STATE[3], GET, SALT, I64_XOR, SET, STATE[3]);
  emitStateRounds(code, 1);
  code.push(GET, STATE[0], GET, SALT, I64_XOR, SET, STATE[0]);
  code.push(GET, STATE[2], I64_CONST, ...signed(0xbbn), I64_XOR, SET, STATE[2]);
  emitStateRounds(code, 3);
}

function emitGeneratorStep(code: Code): void {
  emitKeyMixing(code);
  emitStateRounds(code, 4);
}

/** Sets the registers from key and nonce: eight numbers of `G(b0, b1, nonce)`, then R8 and R9. */
function emitStart(code: Code): void {
  emitGeneratorStart(code);
  for (let i = 0; i < 4; i++) code.push(GET, REGISTER + 4 + i, SET, REGISTER + i);
  emitGeneratorStep(code);
  code.push(
    GET,
    REGISTER + 4,
    I64_CONST,
    ...signed(~7n),
    I64_AND,
    I64_CONST,
    3,
    I64_OR,
    SET,
    REGISTER + 8,
  );
  code.push(
    GET,
    REGISTER + 7,
    I64_CONST,
    ...signed(~7n),
    I64_AND,
    I64_CONST,
    5,
    I64_OR,
    SET,
    REGISTER + 9,
  );
}

function emitEnd(code: Code): void {
  emitSipRound(code, [REGISTER, REGISTER + 1, REGISTER + 2, REGISTER + 3]);
  emitSipRound(code, [REGISTER + 4, REGISTER + 5, REGISTER + 6, REGISTER + 7]);
  code.push(GET, REGISTER + 3, GET, REGISTER + 7, I64_XOR, GET, REGISTER + 9, I64_XOR);
}

/**
 * Emits one program: an instruction for each place, with the branch before the last one. When the
 * branch is reached, local `flag` holds the result of the first instruction, whose bit 5 is the
 * branch flag.
 */
export function emitProgram(
  code: Code,
  emitInstruction: (place: number) => void,
  flag: number,
): void {
  code.push(LOOP, VOID);
  for (let place = 0; place < INSTRUCTIONS - 1; place++) emitInstruction(place);
  // Measured: two nested tests are faster than one test of both conditions.
  code.push(GET, flag, I64_CONST, 32, I64_AND, I64_EQZ, IF, VOID, GET, BRANCHES_LEFT, IF, VOID);
  code.push(
    GET,
    BRANCHES_LEFT,
    I32_CONST,
    1,
    I32_SUB,
    SET,
    BRANCHES_LEFT,
    BRANCH,
    2,
    END,
    END,
    END,
  );
  emitInstruction(INSTRUCTIONS - 1);
}

/**
 * The function `hash(nonce, b0, b1) -> u64` around the code of its phases. The first works on
 * registers and fills the scratchpad; the second reads its operands from there. The first phase
 * overwrites all of the scratchpad, bytes 0..2047.
 */
export function hashFunction(emitPhase: (code: Code, readsMemory: boolean) => void): WasmFunction {
  const body: Code = [];
  emitStart(body);
  for (const readsMemory of [false, true]) {
    body.push(I32_CONST, 32, SET, BRANCHES_LEFT);
    emitPhase(body, readsMemory);
  }
  emitEnd(body);
  return { ...LAYOUT, name: "hash", results: [I64], body };
}

/**
 * The function `draw(salt, k0, k1)`: writes the first `count` numbers (a multiple of 4) of `G(k0,
 * k1, salt)` to the memory, from byte `at` on.
 */
export function drawFunction(at: number, count: number): WasmFunction {
  const body: Code = [];
  emitGeneratorStart(body);
  body.push(LOOP, VOID);
  for (let i = 0; i < 4; i++)
    body.push(GET, FREE_I32, GET, REGISTER + 4 + i, I64_STORE, 3, ...unsigned(at + 8 * i));
  emitGeneratorStep(body);
  body.push(GET, FREE_I32, I32_CONST, 32, I32_ADD, TEE, FREE_I32);
  body.push(I32_CONST, ...signed(BigInt(8 * count)), I32_LT_U, BRANCH_IF, 0, END);
  return { ...LAYOUT, name: "draw", results: [], body };
}
