import { ALGORITHMS } from "../algorithms/algorithms.ts";
import type { Algorithm } from "../algorithms/puzzle-function.ts";
import { ALGORITHM_NUMBERS } from "../algorithms/table.ts";
import { NONCES_PER_FUNCTION } from "../puzzle.ts";

const SHORT_CHUNK = 4096;
const NOTHING_PASSES = { high: 0, low: 0 };

const seedOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

/**
 * Nonces per millisecond (kH/s) in the best of the runs: a disturbance can only make a run slower.
 */
function bestRate(runs: number, nonces: number, run: (number: number) => void): number {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let number = 0; number < runs; number++) {
    const startMs = performance.now();
    run(number);
    bestMs = Math.min(bestMs, performance.now() - startMs);
  }
  return Math.round(nonces / bestMs);
}

/**
 * The rate of a function that has run for a while, and of whole functions with compilation, as a
 * solver runs them.
 */
function measureRates({ createFunction }: Algorithm): string {
  const warm = createFunction(seedOf(1));
  const warmRate = bestRate(300, SHORT_CHUNK, () => warm.search(0, SHORT_CHUNK, NOTHING_PASSES));
  const wholeRate = bestRate(40, NONCES_PER_FUNCTION, (number) =>
    createFunction(seedOf(number)).search(0, NONCES_PER_FUNCTION, NOTHING_PASSES),
  );
  return `${warmRate} kH/s, ${wholeRate} kH/s over whole functions`;
}

/**
 * The single-thread figures behind `BASE_DIFFICULTY`. In Node: `node packages/pow/measure/rate.ts`.
 * In Chromium, from the root: `npx vite packages/pow/measure --port 5199`, then `chromium
 * --headless --no-sandbox --dump-dom http://localhost:5199/`.
 */
const report = ALGORITHM_NUMBERS.map(
  (number) => `algorithm ${number}: ${measureRates(ALGORITHMS[number])}`,
).join("\n");
if (typeof document === "undefined") console.log(report);
else document.body.textContent = report;
