/** How many places there are for networks, in two numbers of 32 bits. */
export const NETWORK_BITS = 64;

/**
 * A set of networks, as bits of two numbers: a network takes one of 64 places, perhaps that of
 * another one.
 */
export type Places = { readonly low: number; readonly high: number };

/** Estimated visits of a class, and the places of the networks they came from. */
export type Seen = Places & { readonly visits: number };

function bitsSet(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555);
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Estimates networks from how many of 64 places are taken (linear counting); if all are, each visit
 * counts as one.
 */
function networksFrom(taken: number, visits: number): number {
  if (taken === NETWORK_BITS) return visits;
  return Math.min(visits, -NETWORK_BITS * Math.log(1 - taken / NETWORK_BITS));
}

const placesIn = ({ low, high }: Places): number => bitsSet(low) + bitsSet(high);

/** Whether all places are taken, so that only visits tell how many networks there are. */
export const isCrowded = (seen: Places): boolean => placesIn(seen) === NETWORK_BITS;

/** The estimated networks of a class; one that sent many visits counts once. */
export const networksOf = (seen: Seen): number => networksFrom(placesIn(seen), seen.visits);

/** The networks of a class, which is not crowded, without those at the places of its parts. */
export function networksWithout(seen: Seen, parts: readonly Places[]): number {
  let [low, high] = [0, 0];
  for (const part of parts) {
    low |= seen.low & part.low;
    high |= seen.high & part.high;
  }
  return networksOf(seen) - networksFrom(placesIn({ low, high }), seen.visits);
}
