import type { FarmEvidence } from "@stile/risk/evidence";

/**
 * A redeemed token: where and when it was earned, and whether it was redeemed for another network.
 */
export type UsedToken = {
  readonly siteKey: string;
  readonly network: string;
  readonly earnedAtMs: number;
  readonly nowMs: number;
  /** Undefined if the redemption named no address. */
  readonly hasMoved: boolean | undefined;
};

/**
 * The use of the tokens that each network earns of a site, as seen by this process, in bounded
 * memory. Networks are named by keyed digests (D14, client address) that change with the UTC day,
 * and then the counts start again.
 */
export interface TokenUsage {
  recordEarned(siteKey: string, network: string, nowMs: number): void;
  /**
   * The caller that spent a token calls this once. Returns how many tokens of its network were
   * redeemed that were earned in the time of `earnedLately`.
   */
  recordRedeemed(use: UsedToken): number;
  /**
   * How many tokens the network earned of the site in this quarter of an hour of the UTC clock and
   * in the three before.
   */
  earnedLately(siteKey: string, network: string, nowMs: number): number;
  /**
   * How many networks that earned tokens of the site in that time satisfy `holds`; looks at all
   * known networks.
   */
  countEarners(siteKey: string, holds: (earned: number) => boolean, nowMs: number): number;
  /**
   * How the newest tokens that have all expired were used; undefined if the network earned none of
   * them.
   */
  find(siteKey: string, network: string, nowMs: number): FarmEvidence | undefined;
}
