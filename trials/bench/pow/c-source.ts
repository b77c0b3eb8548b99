import { HASHWX_HELPERS, toHashwxSource } from "./hashwx-source.ts";

const PROLOGUE = `#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEVICE
#define SCRATCHPAD u64 pad[256]
#define PAD(i) pad[i]
`;

/**
 * `main`: prints hashes of the given nonces, or the best time of a chunk over the inputs 0..65535,
 * again and again.
 */
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

/**
 * A C program for the HashWX function of a seed. `hash N...` prints the hashes of nonces (u64,
 * decimal) in hexadecimal, one per line; `search CHUNK CHUNKS TARGET` prints the best time of a
 * chunk of nonces, in nanoseconds, and how many of all hashes were below the target.
 */
export const toCSource = (seed: Uint8Array): string =>
  [PROLOGUE, HASHWX_HELPERS, toHashwxSource(seed), EPILOGUE].join("");
