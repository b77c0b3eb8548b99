import type { Store } from "@stile/core/ports/store";

/**
 * That moment, or the store's own time where that is earlier: what one node takes for over is gone for all of them, so that a node whose
 * clock is ahead must not be the one to say (decision 0076).
 */
export async function notAhead({ nodes }: Pick<Store, "nodes">, nowMs: number): Promise<number> {
  return nodes === undefined ? nowMs : Math.min(nowMs, await nodes.nowMs());
}
