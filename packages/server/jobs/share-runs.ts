import { setTimeout as delay } from "node:timers/promises";

/**
 * The same work for many callers. Those who call while it runs, or within `pauseMs` after it began,
 * share the next run. So each caller's run begins after the call, and only one run is active at a
 * time. It rejects as the work does.
 */
export function shareRuns(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let over: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= over.then(() => {
      next = undefined;
      const running = work();
      over = Promise.allSettled([running, delay(pauseMs, undefined, { ref: false })]);
      return running;
    });
    return next;
  };
}
