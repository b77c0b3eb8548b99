import { END, I32, I64 } from "./opcodes.ts";

/** WebAssembly instructions in binary form; the emitting functions append to it. */
export type Code = number[];

type Bytes = readonly number[];

/**
 * A function of a module. Locals are numbered: first its parameters, then those of type i64, then
 * of type i32.
 */
export type WasmFunction = {
  readonly name: string;
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  readonly i64Locals: number;
  readonly i32Locals: number;
  /** The instructions, without the closing `END`. */
  readonly body: Bytes;
};

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const FUNCTION_TYPE = 0x60;
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const KIND = { function: 0, memory: 2 } as const;
/** Exactly one page of 64 KiB. */
const MEMORY_LIMITS = [1, 1, 1];

/** LEB128 of a whole number from 0 to 2^31 - 1. */
export const unsigned = (value: number): Bytes =>
  value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];

/** LEB128 of a signed number of at most 64 bits, the form in which constants are written. */
export function signed(value: bigint): Bytes {
  const isLast = value >= -64n && value < 64n;
  const bits = Number(value & 127n);
  return isLast ? [bits] : [bits | 128, ...signed(value >> 7n)];
}

const sized = (bytes: Bytes): Bytes => [...unsigned(bytes.length), ...bytes];
const vector = (items: readonly Bytes[]): Bytes => unsigned(items.length).concat(...items);
const section = (id: number, items: readonly Bytes[]): Bytes => [id, ...sized(vector(items))];
const nameOf = (text: string): Bytes =>
  sized([...text].map((character) => character.charCodeAt(0)));

/**
 * The binary of a module (core specification 5.5). It exports `functions` under their names; they
 * can call each other by their index in this list. They work on a memory that the module imports as
 * `m.m`.
 */
export function assembleModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, results }) => [
    FUNCTION_TYPE,
    ...sized(parameters),
    ...sized(results),
  ]);
  const memory = [...nameOf("m"), ...nameOf("m"), KIND.memory, ...MEMORY_LIMITS];
  const indices = functions.map((_, index) => [index]);
  const exported = functions.map(({ name }, index) => [...nameOf(name), KIND.function, index]);
  const bodies = functions.map(({ i64Locals, i32Locals, body }) =>
    sized([
      ...vector([
        [...unsigned(i64Locals), I64],
        [...unsigned(i32Locals), I32],
      ]),
      ...body,
      END,
    ]),
  );
  return new Uint8Array([
    ...MAGIC_AND_VERSION,
    ...section(SECTION.type, types),
    ...section(SECTION.import, [memory]),
    ...section(SECTION.function, indices),
    ...section(SECTION.export, exported),
    ...section(SECTION.code, bodies),
  ]);
}
