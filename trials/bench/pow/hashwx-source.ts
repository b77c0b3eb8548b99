import {
  generatePrograms,
  INSTRUCTION_BYTES,
  INSTRUCTIONS,
  PROGRAM_BYTES,
  PROGRAMS,
  type ProgramTable,
  scratchpadOffset,
} from "@stile/pow/hashwx/program";
import { seedWordsOf, toU64s } from "@stile/pow/hashwx/seed-words";

const BRANCHES_PER_PHASE = 32;
const MUL = ["|", "^", "+"] as const;
const COMBINE = ["^", "+", "-"] as const;

/**
 * The common part of every HashWX function in C. The including source defines `DEVICE` (the mark of
 * a function for the machine that computes), `SCRATCHPAD` (a statement that makes the 256 numbers)
 * and `PAD(i)` (number i of them).
 */
export const HASHWX_HELPERS = `typedef uint64_t u64;

DEVICE static inline u64 rotl(u64 x, int n) { return x << n | x >> (64 - n); }
DEVICE static inline u64 rotr(u64 x, int n) { return x >> n | x << (64 - n); }
DEVICE static inline u64 sar(u64 x, int n) { return (u64)((int64_t)x >> n); }
DEVICE static inline u64 shr(u64 x, int n) { return x >> n; }

#define SIP_ROUND(a, b, c, d) \\
  do { \\
    a += b; c += d; b = rotl(b, 13) ^ a; d = rotl(d, 16) ^ c; a = rotl(a, 32); \\
    c += b; a += d; b = rotl(b, 17) ^ c; d = rotl(d, 21) ^ a; c = rotl(c, 32); \\
  } while (0)
#define MIX_KEY(a, b, c, d) (a ^= K0, b ^= K1, c ^= K0, d ^= K1)
`;

/**
 * The start of a hash: eight numbers of the generator, keyed by `K0` and `K1`, then the two
 * multipliers.
 */
const HASHWX_START = `  u64 r4 = 0x7465646279746573u, r5 = 0x6c7967656e657261u, r6 = 0x646f72616e646f6du, r7 = 0x736f6d6570736575u;
  MIX_KEY(r7, r6, r5, r4);
  r4 ^= nonce;
  SIP_ROUND(r7, r6, r5, r4);
  r7 ^= nonce;
  r5 ^= 0xbb;
  for (int i = 0; i < 3; i++) SIP_ROUND(r7, r6, r5, r4);
  u64 r0 = r4, r1 = r5, r2 = r6, r3 = r7;
  MIX_KEY(r7, r6, r5, r4);
  for (int i = 0; i < 4; i++) SIP_ROUND(r7, r6, r5, r4);
  const u64 r8 = (r4 & ~(u64)7) | 3, r9 = (r7 & ~(u64)7) | 5;
  SCRATCHPAD;
  int branches;
`;

/** The end of a hash. */
const HASHWX_END = `  SIP_ROUND(r0, r1, r2, r3);
  SIP_ROUND(r4, r5, r6, r7);
  return r3 ^ r7 ^ r9;
}
`;

function instruction(table: ProgramTable, at: number, place: number, readsMemory: boolean): string {
  const operation = table[at] as number;
  const target = `r${table[at + 1]}`;
  const source = `r${table[at + 2]}`;
  const immediate = table[at + 3] as number;
  if (place === 0) return `${target} = rotr(${target} * ${source}, ${immediate});`;
  const operand = readsMemory ? `PAD(${source} >> 3 & 255)` : source;
  if (place % 2 === 0)
    return `${target} = (${target} ${MUL[operation]} ${immediate}) * ${operand};`;
  const shift = ["rotr", "sar", "shr"][Math.floor(operation / 3)];
  return `${target} = ${shift}(${target}, ${immediate}) ${COMBINE[operation % 3]} ${operand};`;
}

function phase(table: ProgramTable, readsMemory: boolean): string {
  const lines = [`branches = ${BRANCHES_PER_PHASE};`];
  for (let program = 0; program < PROGRAMS; program++) {
    const at = PROGRAM_BYTES * program;
    const label = `${readsMemory ? "second" : "first"}_${program}`;
    const lineOf = (place: number): string =>
      instruction(table, at + INSTRUCTION_BYTES * place, place, readsMemory);
    lines.push(`${label}:`);
    for (let place = 0; place < INSTRUCTIONS - 1; place++) lines.push(lineOf(place));
    lines.push(`if (!(r${table[at + 1]} & 32) && branches) { branches--; goto ${label}; }`);
    lines.push(lineOf(INSTRUCTIONS - 1));
    if (readsMemory) continue;
    for (let register = 0; register < 8; register++) {
      lines.push(`PAD(${scratchpadOffset(program, register) / 8}) = r${register};`);
    }
  }
  return lines.map((line) => `  ${line}\n`).join("");
}

/**
 * The HashWX function of a seed as `hash(nonce)` in C, as an attacker would write it: the 32
 * programs of both phases unrolled into straight-line code. It needs `HASHWX_HELPERS`.
 */
export function toHashwxSource(seed: Uint8Array): string {
  const words = seedWordsOf(seed);
  const table = generatePrograms(words);
  const [, , key0, key1] = toU64s(words);
  return [
    `#define K0 0x${key0.toString(16)}u\n#define K1 0x${key1.toString(16)}u\n\n`,
    "DEVICE static u64 hash(u64 nonce) {\n",
    HASHWX_START,
    phase(table, false),
    phase(table, true),
    HASHWX_END,
  ].join("");
}
