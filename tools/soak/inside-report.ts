/** What the service's process tells of itself. */
export type InsideReport = {
  /** Delays of the event loop since they were last forgotten, ms. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Heap and buffers that were in use after the last full collection; 0 before the first. */
  readonly liveBytes: number;
};
