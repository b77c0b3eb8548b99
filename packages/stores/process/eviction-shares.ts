/**
 * Shares that a bounded memory is divided into, to decide what makes room; every network belongs to
 * one.
 */
export const EVICTION_SHARES = 2048;

/**
 * The share of a network, by its digest under the key of the day: nobody can choose their share, or
 * know whose they are in. In a full memory the fullest share makes room, so that a network that
 * sends thousands pushes out its own entries.
 */
export function shareOfNetwork(network: number): number {
  return Number.isFinite(network) ? network % EVICTION_SHARES : 0;
}
