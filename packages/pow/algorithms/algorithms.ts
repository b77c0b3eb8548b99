import { hashwxAlgorithm } from "./hashwx.ts";
import type { Algorithm } from "./puzzle-function.ts";
import { sha256Algorithm } from "./sha256.ts";
import type { AlgorithmNumber } from "./table.ts";

/** The algorithm of each number; whoever only reads challenges imports the numbers, which bring no solver along. */
export const ALGORITHMS: Readonly<Record<AlgorithmNumber, Algorithm>> = { 1: hashwxAlgorithm, 2: sha256Algorithm };
