/** Counts items, and always knows which item has the highest count. */
export type Largest<Item> = {
  /** Adds 1 to the item's count, or subtracts 1. */
  readonly add: (item: Item, count: 1 | -1) => void;
  /** The item with the highest count; undefined if all counts are 0. */
  readonly find: () => Item | undefined;
};

/** Creates an empty counter. */
export function createLargest<Item>(): Largest<Item> {
  const sizes = new Map<Item, number>();
  const ofSize = new Map<number, Set<Item>>();
  let most = 0;

  const take = (item: Item, size: number): void => {
    const items = ofSize.get(size);
    items?.delete(item);
    if (items?.size === 0) ofSize.delete(size);
  };

  return {
    add: (item, count) => {
      const before = sizes.get(item) ?? 0;
      const size = before + count;
      take(item, before);
      if (size <= 0) sizes.delete(item);
      else {
        sizes.set(item, size);
        ofSize.set(size, (ofSize.get(size) ?? new Set()).add(item));
      }
      // A count changes by 1, so the highest count changes by at most 1, too.
      if (size > most) most = size;
      else if (!ofSize.has(most)) most--;
    },
    find: () => ofSize.get(most)?.values().next().value,
  };
}
