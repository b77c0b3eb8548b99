import { ALGORITHMS } from "../algorithms/table.ts";
import { NONCES_PER_FUNCTION } from "../puzzle.ts";

/**
 * Thousands of hashes per second of one thread, per algorithm: the figures behind `BASE_DIFFICULTY`, from the best of 60 chunks, because
 * what disturbs a chunk only slows it. In Node: `node packages/pow/measure/rate.ts`. In Chromium, from the root:
 * `npx vite packages/pow/measure --port 5199`, beside it `chromium --headless --no-sandbox --dump-dom http://localhost:5199/`.
 */
function measureRate(createFunction: (typeof ALGORITHMS)[keyof typeof ALGORITHMS]["createFunction"]): number {
  const nothingPasses = { high: 0, low: 0 };
  let bestMs = Number.POSITIVE_INFINITY;
  for (let chunk = 0; chunk < 60; chunk++) {
    const puzzleFunction = createFunction(new Uint8Array(32).fill(chunk));
    const startMs = performance.now();
    puzzleFunction.search(0, NONCES_PER_FUNCTION, nothingPasses);
    bestMs = Math.min(bestMs, performance.now() - startMs);
  }
  return NONCES_PER_FUNCTION / bestMs;
}

const report = Object.entries(ALGORITHMS)
  .map(([number, { createFunction }]) => `algorithm ${number}: ${Math.round(measureRate(createFunction))} kH/s`)
  .join("\n");
if (typeof document === "undefined") console.log(report);
else document.body.textContent = report;
