/** Removes what can no longer be asked for. */
export interface Housekeeping {
  /**
   * Forgets spent tokens and challenges whose `retainUntilMs` has passed, and old limit windows, in
   * small steps; returns how many. If `Store.begin` was called, it also records the time.
   */
  sweep(nowMs: number): Promise<number>;
  /** The newest recorded time; 0 if there is none. A starting service does not go behind it. */
  newestMs(): Promise<number>;
}
