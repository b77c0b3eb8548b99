import type { Store } from "@stile/core/ports/store";

/**
 * The earlier of this moment and the store's own time. A node removes expired data for all nodes,
 * so a node whose clock is ahead must not decide what has expired (decision 0013, clocks).
 */
export async function notAhead({ nodes }: Pick<Store, "nodes">, nowMs: number): Promise<number> {
  return nodes === undefined ? nowMs : Math.min(nowMs, await nodes.nowMs());
}
