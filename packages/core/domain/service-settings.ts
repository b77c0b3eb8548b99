import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import type { FlagWeights } from "@stile/risk/weights";
import type { OverLimit } from "./challenge/decide-draw.ts";

/** What the operator set for the whole service; limits are a minute's, where they don't say otherwise (D10, D17). */
export type ServiceSettings = {
  readonly algorithm: AlgorithmNumber;
  /** The operator's own weights of flags; without any, the table's. */
  readonly flagWeights?: FlagWeights | undefined;
  /** The demo's site: its challenges are drawn from a budget of its own, since any stranger may ask for them (D10). */
  readonly demoSiteKey?: string | undefined;
  /** What happens over the limit of a network, unless the account says otherwise (D10). */
  readonly overLimit: OverLimit;
  readonly limits: {
    readonly verify: number;
    readonly score: number;
    /** What one network may draw of an account. */
    readonly challenge: number;
    /** What everybody may draw of an account together. */
    readonly challengeTotal: number;
    readonly wrongSecret: number;
    /** What one network may earn of a site in an hour; undefined: as many tokens as it may draw challenges. */
    readonly tokensPerHour?: number | undefined;
  };
};
