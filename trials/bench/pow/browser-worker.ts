// The code that Chromium runs, in a module worker like the widget's solver; `browser.ts` calls it
// through `globalThis.bench`.
import { createSolver } from "@stile/pow/solver";
import {
  createCommonContestants,
  type Measured,
  measureRound,
  webCryptoContestant,
} from "./contestants.ts";
import { toBasePuzzle, toRatePuzzle } from "./puzzles.ts";

/** One solved challenge: the wait without the start of the worker, and the work. */
export type Solve = {
  readonly ms: number;
  readonly hashes: number;
  readonly nonces: readonly number[];
};

/** The worker's functions; challenges are base64url. */
export type BrowserBench = {
  readonly measure: (challengeText: string) => Promise<readonly Measured[]>;
  readonly solve: (challengeText: string) => Solve;
};

/** Nonces between two reports of the widget's worker. */
const NONCES_PER_RUN = 4096;

const contestants = [...(await createCommonContestants()), webCryptoContestant];

function solve(challengeText: string): Solve {
  const startMs = performance.now();
  const solver = createSolver({ ...toBasePuzzle(challengeText), workerIndex: 0, workerCount: 1 });
  const nonces: number[] = [];
  let hashes = 0;
  for (;;) {
    const run = solver.search(NONCES_PER_RUN);
    nonces.push(...run.found);
    hashes += run.hashes;
    if (run.state === "solved") return { ms: performance.now() - startMs, hashes, nonces };
    if (run.state === "exhausted") throw new Error("a challenge had no solution");
  }
}

Object.assign(globalThis, {
  bench: {
    measure: (challengeText) => measureRound(contestants, toRatePuzzle(challengeText)),
    solve,
  },
} satisfies { bench: BrowserBench });
postMessage("ready");
