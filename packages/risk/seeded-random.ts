/** Uniformly distributed numbers in [0, 1). */
export type Random = () => number;

/**
 * A sequence that is the same for the same seed (any whole number) on every machine (mulberry32):
 * trainings, seeded data and simulations must be repeatable. Anyone who sees a few numbers can
 * compute the next ones: don't use it for secrets.
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A seed from a text (FNV-1a), so that each recorded path is changed in the same way, whatever
 * recordings are next to it.
 */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
