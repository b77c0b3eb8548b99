import type { Clock } from "@stile/core/ports/clock";

/** How long one proof that the store can be written to stands for all who ask, ms. */
const PROOF_MS = 1000;

/**
 * Whether the store can be written to, by a durable write of its own, at most one at a time and one a second: anybody may
 * ask. A failure is not kept, so that recovery is seen at once.
 */
export function createReadiness(ping: () => Promise<void>, clock: Clock): () => Promise<boolean> {
  let provenAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<boolean> | undefined;

  const prove = async (): Promise<boolean> => {
    const startedAtMs = clock.nowMs();
    try {
      await ping();
      provenAtMs = startedAtMs;
      return true;
    } catch {
      return false;
    } finally {
      running = undefined;
    }
  };

  return async () => {
    const ageMs = clock.nowMs() - provenAtMs;
    if (ageMs >= 0 && ageMs < PROOF_MS) return true;
    running ??= prove();
    return await running;
  };
}
