import { createRandom } from "@stile/risk/seeded-random";

/** Whole numbers from 0 up to, not including, `below`; the same sequence for the same seed. */
export type RandomBelow = (below: number) => number;

/** A generator whose run can be repeated by its seed, any whole number. */
export function createRandomBelow(seed: number): RandomBelow {
  const random = createRandom(seed);
  return (below) => Math.floor(random() * below);
}
