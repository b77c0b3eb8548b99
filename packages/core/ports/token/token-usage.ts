import type { FarmEvidence } from "@stile/risk/evidence";

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
  recordEarned(siteKey: string, network: string, nowMs: number): void;
  /** To be called once per token, by who spent it. */
  recordRedeemed(use: UsedToken): void;
  /** Usage of the newest tokens that have all expired by now; undefined if the network earned none of them. */
  find(siteKey: string, network: string, nowMs: number): FarmEvidence | undefined;
}
