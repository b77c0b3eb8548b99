// The opcodes and types of the WebAssembly binary format (core specification 5.3, 5.4) that HashWX
// needs. Each is a constant of its own, and not an entry of a table, so that a bundler can inline
// the values.

/** Starts a loop (a block type follows) that ends at its `END`; a branch to it starts it again. */
export const LOOP = 0x03;
/** Pops an i32; the instructions up to `END` run unless it is 0 (a block type follows). */
export const IF = 0x04;
/** Closes a loop, an if or a function body. */
export const END = 0x0b;
/** Jumps to the n-th enclosing block; 0 is the innermost. */
export const BRANCH = 0x0c;
/** Pops an i32 and jumps unless it is 0. */
export const BRANCH_IF = 0x0d;
/** Calls the function with the index that follows. */
export const CALL = 0x10;
/**
 * Pops a condition and two values; pushes the first value unless the condition is 0, else the
 * second.
 */
export const SELECT = 0x1b;
/** The block type of a block without parameters and results. */
export const VOID = 0x40;

/** Pushes the local with the index that follows. */
export const GET = 0x20;
/** Pops into the local with the index that follows. */
export const SET = 0x21;
/** Copies the top of the stack into the local with the index that follows. */
export const TEE = 0x22;

/**
 * Loads an i64. The exponent of the alignment and an offset follow, as for every load and store.
 */
export const I64_LOAD = 0x29;
/** Loads a byte as i32. */
export const I32_LOAD8_U = 0x2d;
/** Loads a byte as i64. */
export const I64_LOAD8_U = 0x31;
/** Pops an i64, then an address, and stores the i64 there. */
export const I64_STORE = 0x37;

/** Pushes a signed LEB128 number as i32. */
export const I32_CONST = 0x41;
/** Arithmetic on i32 pops one operand (EQZ) or two, the right one first. */
export const I32_EQZ = 0x45;
/** Equal. */
export const I32_EQ = 0x46;
/** Less than, unsigned. */
export const I32_LT_U = 0x49;
/** Sum modulo 2^32. */
export const I32_ADD = 0x6a;
/** Difference modulo 2^32. */
export const I32_SUB = 0x6b;
/** Remainder, unsigned. */
export const I32_REM_U = 0x70;
/** Shift to the left. */
export const I32_SHL = 0x74;
/** The low half of an i64. */
export const I32_WRAP_I64 = 0xa7;

/** Pushes a signed LEB128 number as i64. */
export const I64_CONST = 0x42;
/** 1 for zero, else 0, as i32. */
export const I64_EQZ = 0x50;
/** Less than, unsigned, as i32. */
export const I64_LT_U = 0x54;
/** Sum modulo 2^64. */
export const I64_ADD = 0x7c;
/** Difference modulo 2^64. */
export const I64_SUB = 0x7d;
/** Product modulo 2^64. */
export const I64_MUL = 0x7e;
/** Bitwise and. */
export const I64_AND = 0x83;
/** Bitwise or. */
export const I64_OR = 0x84;
/** Bitwise exclusive or. */
export const I64_XOR = 0x85;
/** Arithmetic shift to the right. */
export const I64_SHR_S = 0x87;
/** Logical shift to the right. */
export const I64_SHR_U = 0x88;
/** Rotation to the left. */
export const I64_ROTL = 0x89;
/** Rotation to the right. */
export const I64_ROTR = 0x8a;
/** An i32 as i64, unsigned. */
export const I64_EXTEND_I32_U = 0xad;

/** The type of 32-bit numbers. */
export const I32 = 0x7f;
/** The type of 64-bit numbers. */
export const I64 = 0x7e;
