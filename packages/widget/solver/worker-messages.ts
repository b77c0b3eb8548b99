import type { Puzzle, WorkerShare } from "@stile/pow/solver";

/** Frame to worker: report what you see of the browser (`WorkerProbe`), and do no work. */
export const LOOK = "look";

/**
 * Frame to worker, once: the share of the nonces to search. Both ends are code of this build, so
 * nothing is parsed.
 */
export type WorkerJob = Puzzle & WorkerShare;

/**
 * Worker to frame: nonces found since the last report, and whether this worker will find no more.
 */
export type WorkerReport = { readonly found: readonly number[]; readonly isDone: boolean };
