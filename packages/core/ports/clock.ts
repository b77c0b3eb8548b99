/**
 * The time of the store, so that all nodes on one store agree on expiry and grace (D12, states).
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}
