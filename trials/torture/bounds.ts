import type { Cluster } from "@stile/testkit/torture/cluster";
import type { FigureBound } from "@stile/testkit/trials/trial";

/** For events that must never happen. */
export const NONE: FigureBound = { kind: "at_most", value: 0 };

/** For times (ms) and counts with an upper limit. */
export function atMost(value: number): FigureBound {
  return { kind: "at_most", value };
}

/** For events that must have happened. */
export function atLeast(value: number): FigureBound {
  return { kind: "at_least", value };
}

/** Does the work with a cluster of its own, which is removed afterwards. */
export async function withCluster<Result>(
  start: () => Promise<Cluster>,
  use: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const cluster = await start();
  try {
    return await use(cluster);
  } finally {
    await cluster.dispose();
  }
}
