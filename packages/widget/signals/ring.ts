/** The newest `capacity` items of what was pushed, oldest first. */
export type Ring<T> = {
  readonly push: (item: T) => void;
  readonly items: () => readonly T[];
};

/** An empty ring. */
export function createRing<T>(capacity: number): Ring<T> {
  let kept: T[] = [];
  return {
    push: (item) => {
      kept.push(item);
      // Cut in bulk: shifting one by one would cost a copy at every pointer move.
      if (kept.length >= 2 * capacity) kept = kept.slice(-capacity);
    },
    items: () => kept.slice(-capacity),
  };
}
