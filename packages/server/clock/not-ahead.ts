import type { Store } from "@stile/core/ports/store";

/**
 * The earlier of this moment and the store's own time. What one node removes as expired is gone for
 * all nodes, so a node whose clock is ahead must not decide that (decision 0013, clocks).
 */
export async function notAhead({ nodes }: Pick<Store, "nodes">, nowMs: number): Promise<number> {
  return nodes === undefined ? nowMs : Math.min(nowMs, await nodes.nowMs());
}
