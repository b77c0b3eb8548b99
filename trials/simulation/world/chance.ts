import { createRandom } from "@stile/risk/seeded-random";

/** The only source of chance in a run: the same seed gives the same draws. */
export type Chance = {
  /** A whole number from 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly happens: (probability: number) => boolean;
  /** One item of the list, which must not be empty. */
  readonly pick: <Item>(list: readonly Item[]) => Item;
};

/** A source of chance with that seed, any whole number. */
export function createChance(seed: number): Chance {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    happens: (probability) => random() < probability,
    pick: (list) => {
      const item = list[below(list.length)];
      if (item === undefined) throw new RangeError("there is nothing to pick from");
      return item;
    },
  };
}
