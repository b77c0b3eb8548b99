import { createSteadyClock } from "@stile/server/clock/steady-clock";
import { createBufferedCounts } from "@stile/stores/buffers/buffered-counts";
import { createMemoryEngine } from "./service/memory-engine.ts";
import { createSqliteEngine } from "./service/sqlite-engine.ts";
import { type Report, type SimulationParts, simulate } from "./world/simulate.ts";

/** Steps of one run: hours to weeks of virtual time, and quick to repeat. */
export const STEPS_PER_RUN = 2000;

const PROCESS: Omit<SimulationParts, "openEngine"> = {
  createClock: createSteadyClock,
  holdCounts: createBufferedCounts,
};

/** The real parts, by the name of the store under test. */
export const PARTS: Readonly<Record<"memory" | "sqlite", SimulationParts>> = {
  memory: { openEngine: () => createMemoryEngine(), ...PROCESS },
  sqlite: { openEngine: () => createSqliteEngine(), ...PROCESS },
};

/** Runs with successive seeds until that many steps are done. */
export type Campaign = {
  readonly parts: SimulationParts;
  readonly firstSeed: number;
  readonly steps: number;
  readonly onRun?: (report: Report, stepsDone: number) => void;
};

/** Simulates until the steps are done or a rule is broken; returns the last run. */
export async function runCampaign({
  parts,
  firstSeed,
  steps,
  onRun = () => {},
}: Campaign): Promise<Report> {
  let done = 0;
  for (let seed = firstSeed; ; seed++) {
    const report = await simulate(parts, { seed, steps: Math.min(STEPS_PER_RUN, steps - done) });
    done += report.steps;
    onRun(report, done);
    if (report.violation !== undefined || done >= steps) return report;
  }
}

/**
 * Leaves out clients and accidents, as many at once as possible, while the same rule is still
 * broken; returns the shortest run.
 */
export async function shrink(parts: SimulationParts, failed: Report): Promise<Report> {
  let shortest = failed;
  for (let size = Math.ceil(failed.started / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 1; from <= failed.started; from += size) {
      const without = new Set([
        ...shortest.without,
        ...Array.from({ length: size }, (_, at) => from + at),
      ]);
      if (without.size === shortest.without.size) continue;
      const report = await simulate(parts, { seed: failed.seed, steps: failed.steps, without });
      if (report.violation?.rule === failed.violation?.rule) shortest = report;
    }
  }
  return shortest;
}
