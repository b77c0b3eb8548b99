import type { Random } from "@stile/risk/seeded-random";

/** A random whole number around `mean`, close enough to Poisson for counts of visits. */
export function countAround(random: Random, mean: number): number {
  const spread = (random() + random() + random() - 1.5) * 2 * Math.sqrt(mean);
  return Math.max(0, Math.floor(mean + spread + random()));
}

/** Distributes `total` things at random over the weights. The parts add up to `total`. */
export function split(random: Random, total: number, weights: readonly number[]): number[] {
  let sum = 0;
  const bounds = weights.map((weight) => {
    sum += weight;
    return sum;
  });
  const parts = new Array<number>(weights.length).fill(0);
  for (let i = 0; i < total; i++) {
    const at = random() * sum;
    let [low, high] = [0, weights.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    parts[low] = (parts[low] ?? 0) + 1;
  }
  return parts;
}
