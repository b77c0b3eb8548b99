import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import type { FlagWeights } from "@stile/risk/weights";

/** What the operator set for the whole service; limits are requests a minute (D10, D17). */
export type ServiceSettings = {
  readonly algorithm: AlgorithmNumber;
  /** The operator's own weights of flags; without any, the table's. */
  readonly flagWeights?: FlagWeights | undefined;
  /** The demo's site: its challenges are drawn from a budget of its own, since any stranger may ask for them (D10). */
  readonly demoSiteKey?: string | undefined;
  readonly limits: {
    readonly verify: number;
    readonly score: number;
    readonly challenge: number;
    readonly reserve: number;
    readonly wrongSecret: number;
  };
};
