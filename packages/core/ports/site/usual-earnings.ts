/**
 * How many tokens of an hour the busiest network of a site usually has redeemed, in bounded memory.
 * It is kept in the site's statistics as one number a day, without any address.
 */
export interface UsualEarnings {
  /**
   * The median of the seven UTC days before today. It is undefined until it was read: a call may
   * start reading, and never waits.
   */
  of(siteKey: string, nowMs: number): number | undefined;
  /** Reports that some network had this many tokens of the last hour redeemed. */
  record(siteKey: string, redeemed: number, nowMs: number): void;
}
