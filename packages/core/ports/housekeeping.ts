/** Removal of what nothing can ask for any more. */
export interface Housekeeping {
  /**
   * Forgets spent tokens and challenges whose `retainUntilMs` has passed, and old limit windows, in small steps; answers how many. Once a run was
   * begun, it records the time too.
   */
  sweep(nowMs: number): Promise<number>;
  /** The newest time that was recorded; 0 if none was. A start does not go behind it. */
  newestMs(): Promise<number>;
}
