import { hashwxAlgorithm } from "./hashwx.ts";
import type { Algorithm } from "./puzzle-function.ts";
import { sha256Algorithm } from "./sha256.ts";
import type { AlgorithmNumber } from "./table.ts";

/**
 * Each algorithm by its number. To read challenges, import the numbers from `table.ts`: that loads
 * no solver.
 */
export const ALGORITHMS: Readonly<Record<AlgorithmNumber, Algorithm>> = {
  1: hashwxAlgorithm,
  2: sha256Algorithm,
};
