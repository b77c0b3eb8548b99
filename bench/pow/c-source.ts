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

/** The part that is the same for every function: the generator, and its use to draw the registers. */
const PROLOGUE = `#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

static inline u64 rotl(u64 x, int n) { return x << n | x >> (64 - n); }
static inline u64 rotr(u64 x, int n) { return x >> n | x << (64 - n); }
static inline u64 sar(u64 x, int n) { return (u64)((int64_t)x >> n); }
static inline u64 shr(u64 x, int n) { return x >> n; }

#define SIP_ROUND(a, b, c, d) \\
  do { \\
    a += b; c += d; b = rotl(b, 13) ^ a; d = rotl(d, 16) ^ c; a = rotl(a, 32); \\
    c += b; a += d; b = rotl(b, 17) ^ c; d = rotl(d, 21) ^ a; c = rotl(c, 32); \\
  } while (0)
#define MIX_KEY(a, b, c, d) (a ^= K0, b ^= K1, c ^= K0, d ^= K1)
`;

/** The start of a hash: eight numbers of the generator, then the two multipliers. */
const START = `  u64 r4 = 0x7465646279746573u, r5 = 0x6c7967656e657261u, r6 = 0x646f72616e646f6du, r7 = 0x736f6d6570736575u;
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
  u64 pad[256];
  int branches;
`;

/** `main`: prints hashes of the given nonces, or the best time of a chunk over the inputs 0..65535, again and again. */
const EPILOGUE = `
static u64 now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "hash") == 0) {
    for (int i = 2; i < argc; i++) printf("%016" PRIx64 "\\n", hash(strtoull(argv[i], NULL, 10)));
    return 0;
  }
  if (argc != 5 || strcmp(argv[1], "search") != 0) return 2;
  const u64 chunk = strtoull(argv[2], NULL, 10), chunks = strtoull(argv[3], NULL, 10), target = strtoull(argv[4], NULL, 10);
  u64 best = UINT64_MAX, hits = 0, nonce = 0;
  for (u64 i = 0; i < chunks; i++) {
    const u64 start = now_ns();
    for (u64 j = 0; j < chunk; j++) hits += hash(nonce++ & 65535) < target;
    const u64 took = now_ns() - start;
    if (took < best) best = took;
  }
  printf("%" PRIu64 " %" PRIu64 "\\n", best, hits);
  return 0;
}
`;

function instruction(table: ProgramTable, at: number, place: number, readsMemory: boolean): string {
  const operation = table[at] as number;
  const target = `r${table[at + 1]}`;
  const source = `r${table[at + 2]}`;
  const immediate = table[at + 3] as number;
  if (place === 0) return `${target} = rotr(${target} * ${source}, ${immediate});`;
  const operand = readsMemory ? `pad[${source} >> 3 & 255]` : source;
  if (place % 2 === 0) return `${target} = (${target} ${MUL[operation]} ${immediate}) * ${operand};`;
  const shift = ["rotr", "sar", "shr"][Math.floor(operation / 3)];
  return `${target} = ${shift}(${target}, ${immediate}) ${COMBINE[operation % 3]} ${operand};`;
}

function phase(table: ProgramTable, readsMemory: boolean): string {
  const lines = [`branches = ${BRANCHES_PER_PHASE};`];
  for (let program = 0; program < PROGRAMS; program++) {
    const at = PROGRAM_BYTES * program;
    const label = `${readsMemory ? "second" : "first"}_${program}`;
    const lineOf = (place: number): string => instruction(table, at + INSTRUCTION_BYTES * place, place, readsMemory);
    lines.push(`${label}:`);
    for (let place = 0; place < INSTRUCTIONS - 1; place++) lines.push(lineOf(place));
    lines.push(`if (!(r${table[at + 1]} & 32) && branches) { branches--; goto ${label}; }`);
    lines.push(lineOf(INSTRUCTIONS - 1));
    if (readsMemory) continue;
    for (let register = 0; register < 8; register++) {
      lines.push(`pad[${scratchpadOffset(program, register) / 8}] = r${register};`);
    }
  }
  return lines.map((line) => `  ${line}\n`).join("");
}

/**
 * A C program for the HashWX function of a seed, as an attacker would write it: the 32 programs of both phases unrolled
 * into straight-line code. `hash N...` prints the hashes of nonces (u64, decimal) in hexadecimal, one per line; `search
 * CHUNK CHUNKS TARGET` prints the best time of a chunk of nonces, in nanoseconds, and how many of all hashes were below
 * the target.
 */
export function toCSource(seed: Uint8Array): string {
  const words = seedWordsOf(seed);
  const table = generatePrograms(words);
  const [, , key0, key1] = toU64s(words);
  return [
    PROLOGUE,
    `#define K0 0x${key0.toString(16)}u\n#define K1 0x${key1.toString(16)}u\n\n`,
    "static u64 hash(u64 nonce) {\n",
    START,
    phase(table, false),
    phase(table, true),
    "  SIP_ROUND(r0, r1, r2, r3);\n  SIP_ROUND(r4, r5, r6, r7);\n  return r3 ^ r7 ^ r9;\n}\n",
    EPILOGUE,
  ].join("");
}
