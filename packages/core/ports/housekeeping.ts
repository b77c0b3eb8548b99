/** Removes data that no request can need any more. */
export interface Housekeeping {
  /**
   * Forgets spent tokens and challenges whose `retainUntilMs` has passed, and old limit windows, in
   * small steps; returns how many. If `Store.begin` was called, it also records the time.
   */
  sweep(nowMs: number): Promise<number>;
  /** The newest recorded time; 0 if there is none. A starting service uses no earlier time. */
  newestMs(): Promise<number>;
}
