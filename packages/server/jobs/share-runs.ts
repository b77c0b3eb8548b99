import { setTimeout as delay } from "node:timers/promises";

/**
 * The same work for many callers: those who call while it runs, or `pauseMs` after it began, share
 * the next run. So each caller's run begins after the call, and however many call, there is one run
 * at a time. It rejects as the work does.
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
