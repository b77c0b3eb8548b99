/**
 * How busy sites are compared with their own recent past, as far as this process has seen, in
 * bounded memory.
 */
export interface SiteLoad {
  /** Counts one issued challenge. */
  record(siteKey: string, nowMs: number): void;
  /**
   * The rate of the last minute divided by the baseline of about the last quarter of an hour; 1 is
   * usual.
   */
  ratio(siteKey: string, nowMs: number): number;
}
