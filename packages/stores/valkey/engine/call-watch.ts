import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { BatchObserver } from "../../postgres/engine/spending-queue.ts";

/** Tells of each call as of a batch of its own: nothing is spent in the durable store, whose batches would be told of else. */
export function createCallWatch(observer: BatchObserver | undefined) {
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const sinceMs = performance.now();
    try {
      return await work();
    } catch (fault) {
      if (fault instanceof StoreUnavailable) observer?.onLate(1);
      throw fault;
    } finally {
      observer?.onWritten(performance.now() - sinceMs);
    }
  };
}
