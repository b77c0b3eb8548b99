/**
 * A bounded memory is divided into this many shares to decide what to evict. Each network belongs
 * to one share.
 */
export const EVICTION_SHARES = 2048;

/**
 * The share of a network. The digest changes with the day's key, so nobody can choose a share or
 * know who else is in it. A full memory evicts from its largest share, so a network that sends
 * thousands of entries evicts its own.
 */
export function shareOfNetwork(network: number): number {
  return Number.isFinite(network) ? network % EVICTION_SHARES : 0;
}
