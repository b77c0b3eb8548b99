import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { type CostliestFunctions, type CpuProfile, findCostliest } from "./costliest-functions.ts";
import type { Workload } from "./messages.ts";
import { type BenchPair, startPair, type WindowPlan } from "./round.ts";
import { type RoundPair, type Row, toLine, toRows } from "./rows.ts";
import { WORKLOAD_PLANS } from "./workloads.ts";

/** How long and how often each row is measured. */
export type BenchPlan = {
  readonly rounds: number;
  /** The windows of the service; the control's are no longer than they need to be. */
  readonly window: WindowPlan;
  /** Whether each server runs until its hot functions are compiled, before anything counts. */
  readonly isWarmed: boolean;
  /**
   * Where to put CPU profiles of the service, with one more window for each row; undefined: there
   * are none.
   */
  readonly profiles: string | undefined;
  /**
   * The built server under load; undefined: run it from its source, so that a profile can name its
   * functions.
   */
  readonly program?: string | undefined;
  /** Makes a database for a row in a PostgreSQL and returns its address; undefined: SQLite. */
  readonly newDatabase?: (() => string) | undefined;
};

/** The windows of the command: long enough for a steady figure. */
export const FULL_WINDOW: WindowPlan = { seconds: 5, pauseMs: 0, connections: 64 };

/** A row, its control's row, and a profile of its time if one was asked for. */
export type Measured = {
  readonly rows: readonly [Row, Row];
  readonly profile:
    | { readonly files: readonly string[]; readonly costliest: CostliestFunctions }
    | undefined;
};

const ROOT = join(import.meta.dirname, "..", "..");
const FUNCTIONS = 10;
const CONTROL_WARM_SECONDS = 1;
/**
 * The control stores nothing and answers some 50,000 requests in this time: longer windows add
 * nothing.
 */
const CONTROL_SECONDS = 3;

/**
 * Requests until the hot functions are compiled, if that many can be served within the time limit.
 */
const WARM_REQUESTS = 10_000;
const WARM_PATIENCE_SECONDS = 24;

/**
 * Loads both until their hot functions are compiled, in at least two windows: the first shows how
 * long the second must be. A busy machine takes longer.
 */
export async function warm(pair: BenchPair, leastSeconds: number): Promise<void> {
  const seconds = Math.ceil(leastSeconds / 2);
  let requests = 0;
  for (
    let spent = 0;
    spent < leastSeconds || (requests < WARM_REQUESTS && spent < WARM_PATIENCE_SECONDS);
    spent += seconds
  ) {
    requests +=
      seconds * (await pair.measureService({ ...FULL_WINDOW, seconds })).requestsPerSecond;
  }
  await pair.measureControl({ ...FULL_WINDOW, seconds: CONTROL_WARM_SECONDS });
}

async function profileOf(
  pair: BenchPair,
  window: WindowPlan,
  directory: string,
): Promise<Measured["profile"]> {
  const { profiles } = await pair.measureService({ ...window, profiles: directory });
  const threads = profiles.map(({ file, cpuMicros }) => {
    return { profile: JSON.parse(readFileSync(file, "utf8")) as CpuProfile, cpuMicros };
  });
  return {
    files: profiles.map(({ file }) => file),
    costliest: findCostliest(threads, ROOT, FUNCTIONS),
  };
}

/**
 * Measures one row: service and control alternate, so that a drifting machine affects both alike.
 * Calls `tell` for each round.
 */
export async function measureRow(
  workload: Workload,
  { rounds, window, isWarmed, profiles, program, newDatabase }: BenchPlan,
  tell: (line: string) => void,
): Promise<Measured> {
  tell(`${workload}: starting`);
  const pair = await startPair(workload, undefined, newDatabase?.(), program);
  try {
    if (isWarmed) {
      tell(`${workload}: warming up`);
      await warm(pair, WORKLOAD_PLANS[workload].warmSeconds);
    }
    const pairs: RoundPair[] = [];
    while (pairs.length < rounds) {
      const service = await pair.measureService(window);
      const control = await pair.measureControl({
        ...window,
        seconds: Math.min(window.seconds, CONTROL_SECONDS),
      });
      pairs.push({ service, control });
      const cpu = `${service.cpuMicrosPerRequest.toFixed(0)} us a request`;
      const ratio = (service.cpuMicrosPerRequest / control.cpuMicrosPerRequest).toFixed(2);
      tell(`${workload}: round ${pairs.length} of ${rounds}, ${cpu}, ${ratio} constant answers`);
    }
    if (profiles !== undefined) tell(`${workload}: profiling`);
    const profile = profiles === undefined ? undefined : await profileOf(pair, window, profiles);
    return { rows: toRows(workload, pairs), profile };
  } finally {
    await pair.stop();
  }
}

function printProfile({ rows: [{ name }], profile }: Measured): void {
  if (profile === undefined) return;
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const toLines = (costs: CostliestFunctions["bySelf"]) =>
    costs.map((cost) => ({
      inclusive: percent(cost.inclusive),
      self: percent(cost.self),
      function: cost.name,
      where: cost.place,
    }));
  console.log(`\n${name}: the most expensive functions of the repository, with what they call`);
  console.table(toLines(profile.costliest.byInclusive));
  console.log(`${name}: the most expensive functions of all, without what they call`);
  console.table(toLines(profile.costliest.bySelf));
  console.log(`Profiles, for a browser's developer tools: ${profile.files.join(", ")}`);
}

/** Measures the workloads one after another and prints tables or JSON. */
export async function benchService(
  workloads: readonly Workload[],
  plan: BenchPlan,
  isJson: boolean,
): Promise<void> {
  const tell = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  const [load = 0] = loadavg();
  tell(`${availableParallelism()} cores, load average ${load.toFixed(1)} before it begins`);
  const all: Measured[] = [];
  for (const workload of workloads) all.push(await measureRow(workload, plan, tell));
  const rows = all.flatMap(({ rows }) => rows);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  console.table(rows.map(toLine));
  for (const measured of all) printProfile(measured);
}
