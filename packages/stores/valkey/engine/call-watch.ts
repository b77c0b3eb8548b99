import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { BatchObserver } from "../../postgres/engine/spending-queue.ts";

/** Reports each call as a batch of its own: the durable store spends nothing here, so it has no batches to report. */
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
