// A run: all that the widget does with the service and the solver. Fetched when a visitor first touches the form, so that stile.js is
// the widget's face and little more.
import { createServiceClient } from "../service/service-client.ts";
import { loadCollector } from "../signals/load-collector.ts";
import { loadFallback } from "../solver/load-fallback.ts";
import { openSolverFrame } from "../solver/solver-frame.ts";
import { pageSurroundings, watchPolicy } from "./page-surroundings.ts";
import { type Job, type JobEffect, perform } from "./perform.ts";

watchPolicy();

/** What a run is given by its element: where the service lives, and where the solver frame is put. */
export type RunOrder = Omit<Job, "client" | "collector" | "frame" | "loadFallback"> & {
  readonly base: string;
  readonly parent: ParentNode;
};

/** Starts a run; what it returns does one effect of it. */
export function startRun(order: RunOrder): (effect: JobEffect) => void {
  const { base, parent, signal } = order;
  const job: Job = {
    ...order,
    client: createServiceClient(base, signal, pageSurroundings),
    collector: loadCollector(base),
    frame: openSolverFrame(base, parent, signal),
    loadFallback: () => loadFallback(base),
  };
  return (effect) => void perform(job, effect);
}
