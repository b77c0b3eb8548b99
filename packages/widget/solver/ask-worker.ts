import { startWorker } from "./start-worker.ts";
import { LOOK } from "./worker-messages.ts";
import type { WorkerProbe } from "./worker-probe.ts";

/** How long a worker may take to start and answer, ms: the work waits for it. */
const ANSWER_MS = 1500;

/**
 * A worker's observations of the browser from this frame; null if it can't be started or does not
 * answer.
 */
export function askWorker(): Promise<WorkerProbe | null> {
  return new Promise((resolve) => {
    let worker: Worker | undefined;
    const end = (probe: WorkerProbe | null): void => {
      clearTimeout(timer);
      worker?.terminate();
      resolve(probe);
    };
    const timer = setTimeout(end, ANSWER_MS, null);
    try {
      worker = startWorker();
      worker.addEventListener("message", (event: MessageEvent<WorkerProbe>) => end(event.data));
      worker.addEventListener("error", () => end(null));
      worker.postMessage(LOOK);
    } catch {
      end(null);
    }
  });
}
