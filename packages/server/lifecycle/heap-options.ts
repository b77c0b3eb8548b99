/**
 * How Node is started to run the service (decision 0062). Young objects get two halves of 16 MB instead
 * of 32, and old ones are collected once there are twice as many as were alive, instead of up to four times. Each place that starts the
 * service writes them out.
 */
export const HEAP_OPTIONS: readonly string[] = ["--max-semi-space-size=16", "--heap-growing-percent=100"];

/**
 * Variables with which Node is started to run the service (decision 0081), for glibc: blocks of 16 KB and more are given back to
 * the system as soon as they are free. They are mostly those in which functions were compiled. Each place that starts the service sets them.
 */
export const MALLOC_SETTINGS: Readonly<Record<string, string>> = { MALLOC_MMAP_THRESHOLD_: "16384" };
