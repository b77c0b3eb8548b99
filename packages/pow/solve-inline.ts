import { createSolver, type Puzzle, packSolution } from "./solver.ts";

/** How a search on the caller's own thread ended. */
export type InlineOutcome =
  | {
      readonly kind: "solved";
      readonly solutionBytes: Uint8Array<ArrayBuffer>;
      readonly hashes: number;
    }
  | { readonly kind: "exhausted"; readonly hashes: number }
  | { readonly kind: "aborted"; readonly hashes: number };

/** The puzzle, how to stop the search, and where to report its progress. */
export type InlineOptions = Puzzle & {
  /** Stops the search before its next slice. */
  readonly signal?: AbortSignal;
  /** Called with the number of nonces found so far (1..k) whenever it grows. */
  readonly onProgress?: (found: number) => void;
};

/**
 * Nonces between two looks at the clock: 15 ms for the slowest function (interpreted without JIT,
 * 230 us a hash).
 */
const NONCES_PER_STEP = 64;
/** How long a slice runs before it gives the event loop a turn, so that the page keeps painting. */
const SLICE_MS = 12;

const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Solves a puzzle on the calling thread in slices of about 12 ms, for command lines and for pages
 * without workers.
 */
export async function solveInline(options: InlineOptions): Promise<InlineOutcome> {
  const { signal, onProgress } = options;
  const solver = createSolver({ ...options, workerIndex: 0, workerCount: 1 });
  const nonces: number[] = [];
  let hashes = 0;
  while (signal?.aborted !== true) {
    const sliceEndMs = performance.now() + SLICE_MS;
    do {
      const run = solver.search(NONCES_PER_STEP);
      hashes += run.hashes;
      nonces.push(...run.found);
      if (run.found.length > 0) onProgress?.(nonces.length);
      if (run.state === "solved")
        return { kind: "solved", solutionBytes: packSolution(nonces), hashes };
      if (run.state === "exhausted") return { kind: "exhausted", hashes };
    } while (performance.now() < sliceEndMs);
    await turnOfEventLoop();
  }
  return { kind: "aborted", hashes };
}
