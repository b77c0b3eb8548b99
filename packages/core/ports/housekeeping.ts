/** Removal of what nothing can ask for any more. */
export interface Housekeeping {
  /**
   * Removes marks whose `keepUntilMs` has passed and old limit windows, in small steps; answers how many marks. Once a run was
   * begun, it notes the time too.
   */
  sweep(nowMs: number): Promise<number>;
  /** The newest time that was noted; 0 if none was. A start does not go behind it. */
  newestMs(): Promise<number>;
}
