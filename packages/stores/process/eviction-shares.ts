/** Shares that a bounded memory is kept in, for what makes room where it is full; every network falls into one of them. */
export const EVICTION_SHARES = 2048;

/**
 * The share of a network, by its digest under the key of the day: nobody can choose theirs, nor know whose they are in. Where
 * memory is full, the fullest share makes room, so that a network that hands in thousands drives out its own.
 */
export function shareOfNetwork(network: number): number {
  return Number.isFinite(network) ? network % EVICTION_SHARES : 0;
}

/** The size of the fullest share. */
export function fullestOf(sizes: ArrayLike<number>): number {
  let fullest = 0;
  for (let share = 0; share < sizes.length; share++) fullest = Math.max(fullest, sizes[share] ?? 0);
  return fullest;
}
