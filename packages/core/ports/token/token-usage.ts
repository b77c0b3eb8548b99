import type { FarmEvidence } from "@stile/risk/evidence";
import type { Earned } from "../../domain/token/earning-window.ts";

/** A redeemed token: where and when it was earned, and whether it is known to be used in another network. */
export type UsedToken = {
  readonly siteKey: string;
  readonly network: string;
  readonly earnedAtMs: number;
  readonly nowMs: number;
  /** Undefined where nobody said for which address it was redeemed. */
  readonly hasMoved: boolean | undefined;
};

/**
 * What becomes of the tokens that each network earns of a site, as far as this process has seen, in bounded memory. Names of
 * networks are keyed digests (D14); they change with the UTC day, and the counts start anew.
 */
export interface TokenUsage {
  /** `isDoubtful`: it was given in spite of doubts. A node of a version before that tells nothing of it. */
  recordEarned(siteKey: string, network: string, nowMs: number, isDoubtful: boolean): void;
  /** To be called once per token, by who spent it. */
  recordRedeemed(use: UsedToken): void;
  /** What the network earned of the site in this quarter of an hour of the UTC clock and in the three before. */
  earnedLately(siteKey: string, network: string, nowMs: number): Earned;
  /** Of how many networks that holds which earned tokens of the site in that time; looks at every network that is known. */
  countEarners(siteKey: string, holds: (earned: Earned) => boolean, nowMs: number): number;
  /** Usage of the newest tokens that have all expired by now; undefined if the network earned none of them. */
  find(siteKey: string, network: string, nowMs: number): FarmEvidence | undefined;
}
