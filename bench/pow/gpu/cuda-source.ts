import { type Manner, toDeviceSource } from "./device-source.ts";

const INCLUDES = `#include <cuda_runtime.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

`;

const KERNELS = `
#define SHARED_BYTES(threads) (SHARED_ROWS * sizeof(u64) * (threads))

__global__ void hash_all(const u64 *nonces, u64 *hashes, int count) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) hashes[i] = hash(nonces[i]);
}

__global__ void search(u64 rounds, u64 target, unsigned long long *hits) {
  const u64 stride = (u64)gridDim.x * blockDim.x;
  u64 nonce = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned found = 0;
  for (u64 i = 0; i < rounds; i++, nonce += stride) found += hash(nonce & 65535) < target;
  if (found > 0) atomicAdd(hits, found);
}
`;

const MAIN = `
static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s: %s\\n", what, cudaGetErrorString(error));
  exit(1);
}

/** Prints the hashes of the nonces, all computed at once. */
static void print_hashes(int count, char **texts) {
  u64 *nonces, *hashes;
  check(cudaMallocHost(&nonces, count * sizeof(u64)), "memory of the host");
  check(cudaMallocHost(&hashes, count * sizeof(u64)), "memory of the host");
  for (int i = 0; i < count; i++) nonces[i] = strtoull(texts[i], NULL, 10);
  memset(hashes, 0, count * sizeof(u64));
  // More than 48 KiB is given to those alone who ask for it.
  check(cudaFuncSetAttribute(hash_all, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)SHARED_BYTES(32)), "shared memory");
  hash_all<<<(count + 31) / 32, 32, SHARED_BYTES(32)>>>(nonces, hashes, count);
  check(cudaGetLastError(), "start");
  check(cudaDeviceSynchronize(), "hashes");
  for (int i = 0; i < count; i++) printf("%016" PRIx64 "\\n", hashes[i]);
}

typedef struct { int blocks, threads; u64 rounds; } Launch;

static unsigned long long *hits;

/** Milliseconds of one launch. */
static float time_of(Launch launch) {
  cudaEvent_t start, end;
  float ms;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&end), "event");
  check(cudaEventRecord(start), "event");
  search<<<launch.blocks, launch.threads, SHARED_BYTES(launch.threads)>>>(launch.rounds, 1, hits);
  check(cudaGetLastError(), "start");
  check(cudaEventRecord(end), "event");
  check(cudaEventSynchronize(end), "search");
  check(cudaEventElapsedTime(&ms, start, end), "event");
  check(cudaEventDestroy(start), "event");
  check(cudaEventDestroy(end), "event");
  return ms;
}

/** kH/s of the best of some launches, each of which takes the given time or more, so that its start hardly counts. */
static double rate_of(Launch launch, float at_least_ms, int launches) {
  float best = time_of(launch);
  while (best < at_least_ms) {
    launch.rounds *= 2;
    best = time_of(launch);
  }
  for (int i = 1; i < launches; i++) {
    const float ms = time_of(launch);
    if (ms < best) best = ms;
  }
  return (double)launch.blocks * launch.threads * launch.rounds / best;
}

/** Tries all sensible numbers of threads for a multiprocessor, then measures the fastest: prints kH/s, blocks, threads. */
static void print_rate(void) {
  cudaDeviceProp card;
  Launch fastest = {0, 0, 1};
  double most = 0;
  check(cudaGetDeviceProperties(&card, 0), "card");
  check(cudaMalloc(&hits, sizeof *hits), "memory of the card");
  for (int threads = 32; threads <= 512; threads *= 2) {
    const size_t bytes = SHARED_BYTES(threads);
    int resident;
    if (bytes > card.sharedMemPerBlockOptin) break;
    check(cudaFuncSetAttribute(search, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes), "shared memory");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, search, threads, bytes), "occupancy");
    for (; resident > 0; resident /= 2) {
      const Launch launch = {resident * card.multiProcessorCount, threads, 1};
      const double rate = rate_of(launch, 10, 2);
      if (rate > most) most = rate, fastest = launch;
    }
  }
  if (fastest.blocks == 0) check(cudaErrorInvalidConfiguration, "no launch fits");
  printf("%.0f %d %d %s\\n", rate_of(fastest, 100, 5), fastest.blocks, fastest.threads, card.name);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "hash") == 0) print_hashes(argc - 2, argv + 2);
  else if (argc == 2 && strcmp(argv[1], "search") == 0) print_rate();
  else return 2;
  return 0;
}
`;

/**
 * A CUDA program for the function of a seed. `hash N...` prints the hashes of nonces (u64, decimal) in hexadecimal, one per
 * line; `search` prints the best rate over the inputs 0..65535, again and again, in kH/s, then the blocks and the threads in
 * each that reached it, then the name of the card.
 */
export const toCudaSource = (manner: Manner, seed: Uint8Array): string =>
  [INCLUDES, toDeviceSource(manner, seed), KERNELS, MAIN].join("");
