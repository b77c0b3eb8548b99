import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Holds this process, its threads and what it starts to the last core. Answers which, or undefined if `taskset` is missing. */
export function pinToOneCore(): number | undefined {
  const core = availableParallelism() - 1;
  const { status } = spawnSync("taskset", ["-a", "-p", "-c", String(core), String(process.pid)]);
  return status === 0 ? core : undefined;
}
