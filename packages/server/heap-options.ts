/**
 * How Node is started to run the service (decision 0062). Young objects get two halves of 16 MB instead
 * of 32, and old ones are collected once there are twice as many as were alive, instead of up to four times. Each place that starts the
 * service writes them out.
 */
export const HEAP_OPTIONS: readonly string[] = ["--max-semi-space-size=16", "--heap-growing-percent=100"];
