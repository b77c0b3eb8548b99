import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** How long a busy machine may need for what a quiet one does immediately, ms. */
export const GENEROUS_MS = 20_000;

/** Whether a store reported that it is unavailable at present. */
export const isUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable;

/** Asks again and again while the store is unavailable. Returns its first answer. */
export async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const sinceMs = performance.now(); ; await delay(20)) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - sinceMs > GENEROUS_MS) throw error;
    }
  }
}
