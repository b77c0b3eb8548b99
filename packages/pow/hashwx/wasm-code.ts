// Opcodes and type codes of the WebAssembly binary format (core specification, chapter 5), as far as HashWX needs them.

/** Control instructions; the block type `VOID` follows `LOOP` and `IF`. */
export const LOOP = 0x03;
export const IF = 0x04;
export const END = 0x0b;
export const BRANCH = 0x0c;
export const BRANCH_IF = 0x0d;
export const CALL = 0x10;
export const SELECT = 0x1b;
export const VOID = 0x40;

/** Locals by index. */
export const GET = 0x20;
export const SET = 0x21;
export const TEE = 0x22;

/** Memory: alignment (as a power of two) and offset follow. */
export const I64_LOAD = 0x29;
export const I32_LOAD8_U = 0x2d;
export const I64_LOAD8_U = 0x31;
export const I64_STORE = 0x37;

export const I32_CONST = 0x41;
export const I32_EQZ = 0x45;
export const I32_LT_U = 0x49;
export const I32_ADD = 0x6a;
export const I32_SUB = 0x6b;
export const I32_REM_U = 0x70;
export const I32_AND = 0x71;
export const I32_SHL = 0x74;
export const I32_WRAP_I64 = 0xa7;

export const I64_CONST = 0x42;
export const I64_EQZ = 0x50;
export const I64_LT_U = 0x54;
export const I64_ADD = 0x7c;
export const I64_SUB = 0x7d;
export const I64_MUL = 0x7e;
export const I64_AND = 0x83;
export const I64_OR = 0x84;
export const I64_XOR = 0x85;
export const I64_SHR_S = 0x87;
export const I64_SHR_U = 0x88;
export const I64_ROTL = 0x89;
export const I64_ROTR = 0x8a;
export const I64_EXTEND_I32_U = 0xad;

/** Value types. */
export const I32 = 0x7f;
export const I64 = 0x7e;

const FUNCTION_TYPE = 0x60;
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const EXTERNAL = { function: 0, memory: 2 } as const;

/** A function of a module under construction; its locals are numbered after its parameters, first i64 then i32. */
export type WasmFunction = {
  readonly name: string;
  readonly parameters: readonly number[];
  readonly result: number;
  readonly i64Locals: number;
  readonly i32Locals: number;
  /** Instructions without the closing `END`. */
  readonly body: readonly number[];
};

/** LEB128 of an unsigned number below 2^31. */
export function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

/** LEB128 of a signed number of up to 64 bits: the operand of a constant. */
export function signed(value: bigint): number[] {
  const isLast = value >= -64n && value < 64n;
  const bits = Number(value & 127n);
  return isLast ? [bits] : [bits | 128, ...signed(value >> 7n)];
}

const sized = (bytes: readonly number[]): number[] => unsigned(bytes.length).concat(bytes);
const vector = (items: readonly (readonly number[])[]): number[] => unsigned(items.length).concat(...items);
const section = (id: number, items: readonly (readonly number[])[]): number[] => [id].concat(sized(vector(items)));
const name = (text: string): number[] => sized([...text].map((character) => character.charCodeAt(0)));

/**
 * The bytes of a module that imports one memory of one page, `m.m`, and exports `functions` under their names; they may call one
 * another by their index.
 */
export function assembleModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      SECTION.type,
      functions.map(({ parameters, result }) => [FUNCTION_TYPE, ...sized(parameters), 1, result]),
    ),
    ...section(SECTION.import, [[...name("m"), ...name("m"), EXTERNAL.memory, 1, 1, 1]]),
    ...section(
      SECTION.function,
      functions.map((_, index) => [index]),
    ),
    ...section(
      SECTION.export,
      functions.map((wasmFunction, index) => [...name(wasmFunction.name), EXTERNAL.function, index]),
    ),
    ...section(
      SECTION.code,
      functions.map(({ i64Locals, i32Locals, body }) =>
        sized([...vector([[...unsigned(i64Locals), I64], [...unsigned(i32Locals), I32]]), ...body, END]),
      ),
    ),
  ]);
}
