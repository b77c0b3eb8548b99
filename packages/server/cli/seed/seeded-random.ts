/** Numbers in [0, 1), the same for the same seed (mulberry32): seeded data must look alike on every machine. */
export type Random = () => number;

/** A random sequence of its own. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number whose mean is `mean`: near enough to Poisson for counts of visits. */
export function countAround(random: Random, mean: number): number {
  const spread = (random() + random() + random() - 1.5) * 2 * Math.sqrt(mean);
  return Math.max(0, Math.floor(mean + spread + random()));
}

/** How many of `total` fall on each of the weights; the parts add up to `total`. */
export function split(random: Random, total: number, weights: readonly number[]): number[] {
  let restWeight = weights.reduce((sum, weight) => sum + weight, 0);
  let rest = total;
  return weights.map((weight, index) => {
    const share = restWeight > 0 ? weight / restWeight : 0;
    const isLast = index === weights.length - 1;
    const mean = rest * share;
    const part = isLast ? rest : Math.min(rest, countAround(random, mean * (1 - share)) + Math.round(mean * share));
    rest -= part;
    restWeight -= weight;
    return part;
  });
}
