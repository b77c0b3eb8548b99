/**
 * How the nodes of one service tell each other what they saw of visitors: soon, but not reliably.
 * An entry may be lost if its node dies, or if a node can't keep up. So nothing that must be exact
 * may depend on it.
 */
export interface NodeFeed {
  /** Tells all other nodes. */
  publish(entries: readonly string[]): Promise<void>;
  /**
   * What other nodes published since the last call, each entry once; the first call returns the
   * latest entries only.
   */
  receive(): Promise<readonly string[]>;
  /**
   * The wrapped key of that UTC day (days since the epoch): the first one that any node proposed.
   * Keys from before the previous day are removed for good.
   */
  agreeOnDayKey(day: number, proposed: Uint8Array): Promise<Uint8Array>;
}
