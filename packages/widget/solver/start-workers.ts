import { NONCES_PER_FUNCTION, nonceBound } from "@stile/pow/puzzle";
import { mergeSolution, type Puzzle } from "@stile/pow/solver";
import type { FrameReply } from "./messages.ts";
import { startWorker } from "./start-worker.ts";
import type { WorkerJob, WorkerReport } from "./worker-messages.ts";

const MAX_WORKERS = 4;

/**
 * How many workers to start on a machine with `cores`: one core is left to the page, more than four
 * are not worth the heat, and a worker beyond the last function of the puzzle would have nothing to
 * search.
 */
export function workerCountFor(cores: number, difficulty: number): number {
  const functions = Math.ceil(nonceBound(difficulty) / NONCES_PER_FUNCTION);
  return Number.isFinite(cores)
    ? Math.min(MAX_WORKERS, functions, Math.max(1, Math.floor(cores) - 1))
    : 1;
}

/**
 * Searches on several workers until they have found k nonces in all; returns a function that stops
 * them.
 */
export function startWorkers(
  puzzle: Puzzle,
  cores: number,
  reply: (message: FrameReply) => void,
): () => void {
  const workerCount = workerCountFor(cores, puzzle.difficulty);
  const nonces = new Set<number>();
  const workers: Worker[] = [];
  let searching = workerCount;
  let isOver = false;

  const stop = (): void => {
    isOver = true;
    for (const worker of workers) worker.terminate();
  };
  const finish = (message: FrameReply): void => {
    if (isOver) return;
    stop();
    reply(message);
  };
  const take = (report: WorkerReport): void => {
    if (isOver) return;
    for (const nonce of report.found) nonces.add(nonce);
    if (report.isDone) searching -= 1;
    const solution = mergeSolution(nonces, puzzle.k);
    if (solution !== undefined) finish({ stile: "solved", solution });
    else if (searching === 0) finish({ stile: "failed" });
    else reply({ stile: "progress", found: nonces.size });
  };

  try {
    for (let workerIndex = 0; workerIndex < workerCount; workerIndex++) {
      const worker = startWorker();
      workers.push(worker);
      worker.addEventListener("message", (event: MessageEvent<WorkerReport>) => take(event.data));
      worker.addEventListener("error", () => finish({ stile: "failed" }));
      worker.postMessage({ ...puzzle, workerIndex, workerCount } satisfies WorkerJob);
    }
  } catch {
    finish({ stile: "failed" });
  }
  return stop;
}
