/**
 * Every algorithm that a challenge may name, by the number that is signed into it (1..255): 1 is
 * HashWX, 2 is SHA-256. The service chooses the algorithm; the client never does.
 */
export const ALGORITHM_NUMBERS = [1, 2] as const;

/** One of `ALGORITHM_NUMBERS`. */
export type AlgorithmNumber = (typeof ALGORITHM_NUMBERS)[number];

/** Whether `value` is the number of an algorithm that this build can solve and check. */
export const isAlgorithmNumber = (value: number): value is AlgorithmNumber =>
  (ALGORITHM_NUMBERS as readonly number[]).includes(value);
