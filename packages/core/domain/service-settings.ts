import type { AlgorithmNumber } from "@stile/pow/algorithms/table";

/** What the operator set for the whole service; limits are requests a minute (D10, D17). */
export type ServiceSettings = {
  readonly algorithm: AlgorithmNumber;
  readonly limits: {
    readonly verify: number;
    readonly score: number;
    readonly challenge: number;
    readonly reserve: number;
    readonly wrongSecret: number;
  };
};
