/**
 * How the nodes of one service share their observations of visitors: soon, but not reliably. An
 * entry may be lost if its node dies, or if a node cannot keep up. So nothing that must be exact
 * may depend on it.
 */
export interface NodeFeed {
  /** Sends the entries to all other nodes. */
  publish(entries: readonly string[]): Promise<void>;
  /**
   * The entries that other nodes published since the last call, each once; the first call returns
   * the latest entries only.
   */
  receive(): Promise<readonly string[]>;
  /**
   * The wrapped key of that UTC day (days since the epoch): the first one that any node proposed.
   * Keys from before the previous day are removed for good.
   */
  agreeOnDayKey(day: number, proposed: Uint8Array): Promise<Uint8Array>;
}
