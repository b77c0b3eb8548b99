import type { Algorithm } from "./puzzle-function.ts";
import { sha256Algorithm } from "./sha256.ts";

/** Every algorithm a challenge may name, by the number that is signed into it; the service chooses, never the client. */
export const ALGORITHMS = { 2: sha256Algorithm } as const satisfies Record<number, Algorithm>;

/** The number of an algorithm in `ALGORITHMS`, 1..255. */
export type AlgorithmNumber = keyof typeof ALGORITHMS;

/** Whether `value` numbers an algorithm that this build can solve and check. */
export const isAlgorithmNumber = (value: number): value is AlgorithmNumber => Object.hasOwn(ALGORITHMS, value);
