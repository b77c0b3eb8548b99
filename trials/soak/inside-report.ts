/** The report of the service's process about itself. */
export type InsideReport = {
  /** Delays of the event loop since they were last reset, ms. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Heap and buffers in use after the last full collection; 0 before the first. */
  readonly liveBytes: number;
};
