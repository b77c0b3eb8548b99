/** How busy sites are against their own recent past, as far as this process has seen, in bounded memory. */
export interface SiteLoad {
  /** Counts one issued challenge. */
  record(siteKey: string, nowMs: number): void;
  /** The rate of the last minute against the baseline of the last quarter of an hour or so; 1 is usual. */
  ratio(siteKey: string, nowMs: number): number;
}
