import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import type { FlagWeights } from "@stile/risk/weights";
import type { TestPlace } from "./site/test-keys.ts";

/**
 * The operator's settings for the whole service. Limits are per minute unless they say otherwise
 * (D10, limits; D17, settings).
 */
export type ServiceSettings = {
  readonly algorithm: AlgorithmNumber;
  /** The operator's own weights of flags; if undefined, the built-in ones apply. */
  readonly flagWeights?: FlagWeights | undefined;
  /**
   * The demo's site. Its challenges have a separate budget, because any stranger may ask for them
   * (D10, limits).
   */
  readonly demoSiteKey?: string | undefined;
  /** Where test keys work; undefined: nowhere (D19, test keys). */
  readonly testPlace?: TestPlace | undefined;
  readonly limits: {
    readonly verify: number;
    readonly score: number;
    /** Challenges that one network may draw from an account. */
    readonly challenge: number;
    /** Challenges that all networks together may draw from an account. */
    readonly challengeTotal: number;
    readonly wrongSecret: number;
    /**
     * Tokens that a network may earn from a site in an hour; if undefined, as many as it may draw
     * challenges.
     */
    readonly tokensPerHour?: number | undefined;
  };
};
