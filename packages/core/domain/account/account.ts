/** Owns sites, and has the budget for their challenges (spec 8; D10, limits). */
export type Account = {
  readonly accountId: string;
  readonly name: string;
  readonly createdAtMs: number;
  /**
   * Challenges a minute for one network, over all sites (D10, limits). Null, here and below: the
   * default of the service.
   */
  readonly challengePerMinute: number | null;
  /** Challenges a minute for all networks together. */
  readonly totalPerMinute: number | null;
};
