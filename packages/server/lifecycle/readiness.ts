import type { Clock } from "@stile/core/ports/clock";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** For how long a successful write proves that the store works, in ms. */
const PROOF_MS = 1000;

/**
 * Returns why the store can't be written to; undefined if it can. It tests with a durable write, at
 * most one at a time and one a second, because anybody may ask. Failures are not remembered, so
 * that recovery is seen at once.
 */
export function createReadiness(
  ping: () => Promise<void>,
  clock: Clock,
): () => Promise<string | undefined> {
  let provenAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<string | undefined> | undefined;

  const prove = async (): Promise<string | undefined> => {
    const startedAtMs = clock.nowMs();
    try {
      await ping();
      provenAtMs = startedAtMs;
      return undefined;
    } catch (error) {
      return error instanceof StoreUnavailable ? error.message : "the store can't be written to";
    } finally {
      running = undefined;
    }
  };

  return async () => {
    const ageMs = clock.nowMs() - provenAtMs;
    if (ageMs >= 0 && ageMs < PROOF_MS) return undefined;
    running ??= prove();
    return await running;
  };
}
