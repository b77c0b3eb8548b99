import { knownBehaviour, knownEnvironment, type SolveEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/** The most workers that the solver starts. */
const MAX_WORKERS = 4;

/**
 * Hashes per millisecond that no browser's worker exceeds, by algorithm. Measured in Chromium on a
 * slow core: 1,006 for HashWX, 10,114 for SHA-256; the margin for the fastest machines is four- and
 * threefold.
 */
const FASTEST_PER_WORKER: Readonly<Record<number, number>> = { 1: 4_000, 2: 36_000 };

/**
 * Only one solver in 25,000 needs no more than this share of the expected hashes: the work is a sum
 * of 16 waiting times, and P(Gamma(16) < 16 * 0.3) = 4e-5.
 */
const LUCKIEST_SHARE = 0.3;

/** A service whose clock is corrected meanwhile may measure a second less than has passed. */
const CLOCK_STEP_MS = 1_500;

/** Whether the page claims that its solver worked for longer than the service waited for it. */
function isLongerThanWaited(
  solveMs: number | null | undefined,
  { elapsedMs }: SolveEvidence,
): boolean {
  return typeof solveMs === "number" && solveMs > elapsedMs + CLOCK_STEP_MS;
}

/**
 * The solution came sooner than the claimed cores can find it at the fastest rate and with the best
 * luck: native code, a farm, or work done ahead. Or the page claims to have worked for longer than
 * has passed.
 */
export const solveTimeImplausible = {
  name: "solve_time_implausible",
  group: "environment",
  label: "Solved faster than the claimed device can.",
  weight: 2.5,
  detect: (evidence) => {
    const { solve } = evidence;
    if (solve === undefined) return false;
    if (isLongerThanWaited(knownBehaviour(evidence)?.solveMs, solve)) return true;
    const rate = FASTEST_PER_WORKER[solve.algorithm];
    if (rate === undefined) return false;
    const workers = Math.min(knownEnvironment(evidence)?.cores ?? MAX_WORKERS, MAX_WORKERS);
    return solve.elapsedMs < (LUCKIEST_SHARE * solve.difficulty) / (rate * workers);
  },
} satisfies FlagRow;
