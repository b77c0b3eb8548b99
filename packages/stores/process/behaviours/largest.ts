/** Which of many things holds most, known at once at each moment. */
export type Largest<Item> = {
  /** Adds so many to what the item holds; below 0 takes them away. */
  readonly add: (item: Item, count: 1 | -1) => void;
  /** The item that holds most; undefined if none holds anything. */
  readonly find: () => Item | undefined;
};

/** Begins with nothing. */
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
      // One more or less: so the largest is the one before, or next to it.
      if (size > most) most = size;
      else if (!ofSize.has(most)) most--;
    },
    find: () => ofSize.get(most)?.values().next().value,
  };
}
