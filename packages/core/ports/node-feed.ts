/**
 * How the nodes of one service tell each other what they saw of visitors, soon and not surely: an entry may be lost with the
 * node that saw it, or when a node can't keep up. Nothing may depend on it that must be exact.
 */
export interface NodeFeed {
  /** Tells all other nodes. */
  publish(entries: readonly string[]): Promise<void>;
  /** What other nodes published since this one last asked, each entry once; the first time, at most what they did just before. */
  receive(): Promise<readonly string[]>;
  /**
   * The wrapped key of that UTC day (days since the epoch): the first one that any node proposed. Older keys than that of the
   * day before are removed for good.
   */
  agreeOnDayKey(day: number, proposed: Uint8Array): Promise<Uint8Array>;
}
