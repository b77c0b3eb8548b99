/**
 * Node options for running the service (decision 0004, one thread). Young objects get two halves of
 * 16 MB instead of 32. Old ones are collected once there are twice as many as were alive, instead
 * of up to four times. Every place that starts the service lists them in full.
 */
export const HEAP_OPTIONS: readonly string[] = [
  "--max-semi-space-size=16",
  "--heap-growing-percent=100",
];

/**
 * Environment variables for running the service (decision 0004, one thread), for glibc. Blocks of
 * 16 KB and more go back to the system as soon as they are free. Most of these were used to compile
 * functions. Every place that starts the service sets them.
 */
export const MALLOC_SETTINGS: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "16384",
};
