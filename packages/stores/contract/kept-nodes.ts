import type { Store } from "@stile/core/ports/store";
import type { Guarantee } from "./contract-fixtures.ts";
import { UPKEEP_GUARANTEES } from "./housekeeping-contract.ts";
import { DECISION_GUARANTEES } from "./statistics/decision-log-contract.ts";
import { REFUSAL_GUARANTEES } from "./statistics/refusals-contract.ts";

/**
 * Guarantees about the life of a node, or what it counts in its own memory. Each is checked on
 * nodes that were just opened.
 */
const OF_ONE_LIFE = new Set<Guarantee>([
  ...UPKEEP_GUARANTEES,
  ...DECISION_GUARANTEES,
  ...REFUSAL_GUARANTEES,
]);

/** Empties the tables that open nodes use, or names empty ones, and opens a node there. */
type NodeEngine = {
  readonly empty: (used?: string) => Promise<string>;
  readonly open: (place: string) => Promise<Store>;
};

/** Nodes on which guarantees are checked one after another. */
export type KeptNodes = {
  /** Checks a guarantee on emptied tables; with `join`, on two nodes as if they were one store. */
  readonly check: (
    guarantee: Guarantee,
    join?: (first: Store, second: Store) => Store,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Keeps nodes open from one guarantee to the next, as in production, where a node serves for weeks.
 * Opening one takes longer than most checks. After a failed check, others are opened.
 */
export function keepNodes({ empty, open }: NodeEngine): KeptNodes {
  let nodes: readonly Store[] = [];
  let place: string | undefined;
  const close = async (): Promise<void> => {
    const closing = nodes;
    nodes = [];
    place = undefined;
    await Promise.all(closing.map((node) => node.close()));
  };
  const checkEmpty = async (
    { check }: Guarantee,
    join: Parameters<KeptNodes["check"]>[1],
  ): Promise<void> => {
    place = await empty(place);
    while (nodes.length < (join === undefined ? 1 : 2)) nodes = [...nodes, await open(place)];
    const [first, second] = nodes as [Store, Store];
    await check(join === undefined ? first : join(first, second));
  };
  return {
    check: async (guarantee, join) => {
      if (OF_ONE_LIFE.has(guarantee)) await close();
      try {
        await checkEmpty(guarantee, join);
      } catch (error) {
        await close();
        throw error;
      }
      if (OF_ONE_LIFE.has(guarantee)) await close();
    },
    close,
  };
}
