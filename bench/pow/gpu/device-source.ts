import { generatePrograms, INSTRUCTION_BYTES, INSTRUCTIONS, PROGRAMS } from "@stile/pow/hashwx/program";
import { seedWordsOf, toU64s } from "@stile/pow/hashwx/seed-words";
import { INITIAL_STATE, ROUND_CONSTANTS } from "@stile/pow/sha256";
import { HASHWX_END, HASHWX_HELPERS, HASHWX_START, toHashwxSource } from "../hashwx-source.ts";

/** How a card is made to compute a function. */
export type Manner = "compiled" | "interpreted" | "sha256";

/**
 * Where each thread has its 2 KiB scratchpad: in the memory of its multiprocessor, which has room for about a hundred of
 * them (`-DPAD_IS_SHARED`), or in the card's, behind its caches. Numbers of neighbouring threads lie side by side, so
 * that 32 threads reach theirs at once. `ROW(i)` is number i of this thread in the memory of the multiprocessor.
 */
const SCRATCHPADS = `#define DEVICE __device__
extern __shared__ uint64_t shared_memory[];
#define ROW(i) shared_memory[(i) * blockDim.x + threadIdx.x]
#ifdef PAD_IS_SHARED
#define PAD_ROWS 256
#define SCRATCHPAD
#define PAD(i) ROW(i)
#else
#define PAD_ROWS 0
#define SCRATCHPAD u64 pad[256]
#define PAD(i) pad[i]
#endif
`;

/** One instruction of each kind; `code` is the program, an instruction a word: operation, target, source, immediate. */
const INTERPRETER = `
#define REGISTER(i) ROW(PAD_ROWS + (i))
#define TARGET(word) REGISTER((word) >> 8 & 255)
#define SOURCE(word) ((word) >> 16 & 255)
#define IMMEDIATE(word) ((int)((word) >> 24))

DEVICE static inline u64 multiplied(u64 x, uint32_t word, u64 operand) {
  const u64 immediate = (u64)IMMEDIATE(word);
  switch (word & 255) {
    case 0: return (x | immediate) * operand;
    case 1: return (x ^ immediate) * operand;
    default: return (x + immediate) * operand;
  }
}

DEVICE static inline u64 shifted(u64 x, uint32_t word, u64 operand) {
  const int by = IMMEDIATE(word);
  switch (word & 255) {
    case 0: return rotr(x, by) ^ operand;
    case 1: return rotr(x, by) + operand;
    case 2: return rotr(x, by) - operand;
    case 3: return sar(x, by) ^ operand;
    case 4: return sar(x, by) + operand;
    case 5: return sar(x, by) - operand;
    case 6: return shr(x, by) ^ operand;
    case 7: return shr(x, by) + operand;
    default: return shr(x, by) - operand;
  }
}

#define OPERAND(word) (readsPad ? PAD(REGISTER(SOURCE(word)) >> 3 & 255) : REGISTER(SOURCE(word)))
#define RUN(compute, place) (TARGET(code[place]) = compute(TARGET(code[place]), code[place], OPERAND(code[place])))

DEVICE static u64 hash(u64 nonce) {
`;

const INTERPRETING = `  REGISTER(0) = r0; REGISTER(1) = r1; REGISTER(2) = r2; REGISTER(3) = r3;
  REGISTER(4) = r4; REGISTER(5) = r5; REGISTER(6) = r6; REGISTER(7) = r7;
  for (int readsPad = 0; readsPad < 2; readsPad++) {
    branches = 32;
    for (int program = 0; program < ${PROGRAMS}; program++) {
      const uint32_t *code = PROGRAM_WORDS + ${INSTRUCTIONS} * program;
      for (;;) {
        const u64 first = rotr(TARGET(code[0]) * (SOURCE(code[0]) == 8 ? r8 : r9), IMMEDIATE(code[0]));
        TARGET(code[0]) = first;
        RUN(shifted, 1);
        RUN(multiplied, 2);
        RUN(shifted, 3);
        RUN(multiplied, 4);
        RUN(shifted, 5);
        RUN(multiplied, 6);
        if ((first & 32) || branches == 0) break;
        branches--;
      }
      RUN(shifted, 7);
      if (!readsPad) for (int i = 0; i < 8; i++) PAD(255 - 8 * program - i) = REGISTER(i);
    }
  }
  r0 = REGISTER(0); r1 = REGISTER(1); r2 = REGISTER(2); r3 = REGISTER(3);
  r4 = REGISTER(4); r5 = REGISTER(5); r6 = REGISTER(6); r7 = REGISTER(7);
`;

/**
 * The function as data for one interpreter, which is compiled once for all functions. The data lie in constant memory:
 * the 32 threads that advance together always read the same word of it.
 */
function toInterpretedSource(seed: Uint8Array): string {
  const words = seedWordsOf(seed);
  const table = generatePrograms(words);
  const view = new DataView(table.buffer);
  const programWords = Array.from({ length: PROGRAMS * INSTRUCTIONS }, (_, i) =>
    view.getUint32(INSTRUCTION_BYTES * i, true),
  );
  const [, , key0, key1] = toU64s(words);
  return [
    HASHWX_HELPERS,
    "#define SHARED_ROWS (PAD_ROWS + 8)\n#define K0 KEY[0]\n#define K1 KEY[1]\n",
    `__constant__ u64 KEY[2] = {0x${key0.toString(16)}u, 0x${key1.toString(16)}u};\n`,
    `__constant__ uint32_t PROGRAM_WORDS[${programWords.length}] = {${programWords.join(", ")}};\n`,
    INTERPRETER,
    HASHWX_START,
    INTERPRETING,
    HASHWX_END,
  ].join("");
}

const toHex = (words: Int32Array): string => Array.from(words, (word) => `0x${(word >>> 0).toString(16)}u`).join(", ");

/** Algorithm 2, unrolled. The rounds over the seed are constants, which compilers compute beforehand. */
function toSha256Source(seed: Uint8Array): string {
  const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const seedWords = Int32Array.from({ length: seed.length / 4 }, (_, i) => view.getInt32(4 * i));
  return `#define SHARED_ROWS 0
typedef uint64_t u64;
typedef uint32_t u32;
DEVICE static inline u32 rotr32(u32 x, int n) { return x >> n | x << (32 - n); }
DEVICE static inline u32 swapped(u32 x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }

DEVICE static u64 hash(u64 nonce) {
  const u32 k[64] = {${toHex(ROUND_CONSTANTS)}};
  u32 w[64] = {${toHex(seedWords)}, swapped((u32)nonce), 0x80000000u, 0, 0, 0, 0, 0, 288};
  #pragma unroll
  for (int t = 16; t < 64; t++) {
    const u32 small0 = rotr32(w[t - 15], 7) ^ rotr32(w[t - 15], 18) ^ w[t - 15] >> 3;
    const u32 small1 = rotr32(w[t - 2], 17) ^ rotr32(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + small0 + w[t - 7] + small1;
  }
  const u32 initial[8] = {${toHex(INITIAL_STATE)}};
  u32 a = initial[0], b = initial[1], c = initial[2], d = initial[3];
  u32 e = initial[4], f = initial[5], g = initial[6], h = initial[7];
  #pragma unroll
  for (int t = 0; t < 64; t++) {
    const u32 upper = h + (rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25)) + ((e & f) ^ (~e & g)) + k[t] + w[t];
    const u32 lower = (rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = d + upper;
    d = c; c = b; b = a; a = upper + lower;
  }
  return (u64)swapped(initial[1] + b) << 32 | swapped(initial[0] + a);
}
`;
}

/** `hash(nonce)` of a seed for a card, with `SHARED_ROWS`: how many u64 of shared memory a thread of it needs. */
export function toDeviceSource(manner: Manner, seed: Uint8Array): string {
  const own = {
    compiled: () => `#define SHARED_ROWS PAD_ROWS\n${HASHWX_HELPERS}${toHashwxSource(seed)}`,
    interpreted: () => toInterpretedSource(seed),
    sha256: () => toSha256Source(seed),
  };
  return SCRATCHPADS + own[manner]();
}
