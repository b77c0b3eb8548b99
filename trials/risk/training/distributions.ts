import type { Random } from "@stile/risk/seeded-random";

/** A number uniformly distributed over from..to. */
export const evenly = (random: Random, from: number, to: number): number =>
  from + (to - from) * random();

/** A number whose logarithm is uniformly distributed over from..to, both above 0. */
export const evenlyInLog = (random: Random, from: number, to: number): number =>
  from * (to / from) ** random();

/** A normally distributed number around 0 (Box and Muller 1958). */
export const normally = (random: Random, deviation: number): number =>
  deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A whole number from..to, both included. */
export const wholly = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/** One of them, all equally likely; throws if there are none. */
export function oneOf<T>(random: Random, all: readonly T[]): T {
  const found = all[Math.floor(random() * all.length)];
  if (found === undefined) throw new Error("oneOf: the list is empty");
  return found;
}
