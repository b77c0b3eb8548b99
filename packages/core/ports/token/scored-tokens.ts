/**
 * How often each token was used for a score on this node, in memory of limited size (D7, score
 * request).
 */
export type ScoredTokens = {
  /** Counts one use of the token, and returns how many there are with it. */
  readonly countUse: (tokenId: Uint8Array) => number;
};
