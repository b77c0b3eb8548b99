/** Removal of what nothing can ask for any more. */
export interface Housekeeping {
  /** Removes marks whose `keepUntilMs` has passed and old limit windows, in small steps; answers how many marks. */
  sweep(nowMs: number): Promise<number>;
}
