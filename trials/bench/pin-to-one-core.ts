import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Restricts this process, its threads and its child processes to the last core. Returns which one,
 * or undefined if `taskset` is missing.
 */
export function pinToOneCore(): number | undefined {
  const core = availableParallelism() - 1;
  const { status } = spawnSync("taskset", ["-a", "-p", "-c", String(core), String(process.pid)]);
  return status === 0 ? core : undefined;
}
