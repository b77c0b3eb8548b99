// One worker's share of the search, in a module worker of the solver frame. The frame ends it with
// terminate().
import { createSolver } from "@stile/pow/solver";
import { LOOK, type WorkerJob, type WorkerReport } from "./worker-messages.ts";
import { probeWorker } from "./worker-probe.ts";

/**
 * Nonces between two reports: few, since without a compiler an engine takes 0.2 ms each, and only
 * finds are posted.
 */
const NONCES_PER_RUN = 256;

addEventListener("message", (event: MessageEvent<WorkerJob | typeof LOOK>) => {
  if (event.data === LOOK) {
    postMessage(probeWorker());
    return;
  }
  const solver = createSolver(event.data);
  for (;;) {
    const { state, found } = solver.search(NONCES_PER_RUN);
    const report: WorkerReport = { found, isDone: state !== "searching" };
    if (found.length > 0 || report.isDone) postMessage(report);
    if (report.isDone) return;
  }
});
