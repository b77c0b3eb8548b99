// `npm run bench -- growth`: what a redemption costs while the store holds more and more, all in one run.
import { availableParallelism, loadavg } from "node:os";
import { warm } from "../bench-service.ts";
import { type BenchPair, startPair, type WindowPlan } from "../round.ts";
import { median, type Range, type RoundPair, type Row, toLine, toRows } from "../rows.ts";
import { WORKLOAD_PLANS } from "../workloads.ts";
import { createFill, type Holding } from "./fill.ts";

/** A store that is measured. */
export type Case = Holding & { readonly name: string };

/** A row of `redeem` with what its store holds; `growth` is the CPU ratio against that of the first case in the same round. */
export type GrowthRow = Row & {
  readonly growth: number;
  readonly growth_range: Range;
  /** Of the filled database file, before it is loaded, MiB. */
  readonly database_mb: number;
};

/** How long and how often. */
export type GrowthPlan = {
  readonly rounds: number;
  readonly window: WindowPlan;
  readonly warmSeconds: number;
};

const LEAST: Holding = { sites: 1, tokens: 0, hasStatistics: false };
/** The first is what the others are held against. */
const CASES: readonly Case[] = [
  { ...LEAST, name: "1 site, nothing kept" },
  { ...LEAST, name: "100 sites", sites: 100 },
  { ...LEAST, name: "10,000 sites", sites: 10_000 },
  { ...LEAST, name: "100,000 tokens kept", tokens: 100_000 },
  { ...LEAST, name: "2,000,000 tokens kept", tokens: 2_000_000 },
  { ...LEAST, name: "13 months of statistics", hasStatistics: true },
];
const PLAN: GrowthPlan = {
  rounds: 3,
  window: { seconds: 3, pauseMs: 0 },
  warmSeconds: WORKLOAD_PLANS.redeem.warmSeconds,
};

type Started = {
  readonly name: string;
  readonly pair: BenchPair;
  readonly bytes: number;
  readonly rounds: RoundPair[];
};

const tell = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

async function start({ name, ...holding }: Case, warmSeconds: number): Promise<Started> {
  tell(`${name}: filling and warming up`);
  let bytes = 0;
  const fill = createFill(holding, (filled) => {
    bytes = filled;
  });
  const pair = await startPair("redeem", fill);
  try {
    if (warmSeconds > 0) await warm(pair, warmSeconds);
    return { name, pair, bytes, rounds: [] };
  } catch (error) {
    await pair.stop();
    throw error;
  }
}

/** CPU against the constant answer. */
const cpuRatio = ({ service, control }: RoundPair): number => service.cpuMicrosPerRequest / control.cpuMicrosPerRequest;
const round = (value: number): number => Number(value.toFixed(2));

function toGrowthRow({ name, bytes, rounds }: Started, first: Started): GrowthRow {
  const growths = rounds.map((pair, index) => cpuRatio(pair) / cpuRatio(first.rounds[index] ?? pair));
  return {
    ...toRows(name, rounds)[0],
    growth: round(median(growths)),
    growth_range: [round(Math.min(...growths)), round(Math.max(...growths))],
    database_mb: Number((bytes / 2 ** 20).toFixed(1)),
  };
}

/** Measures all cases in turn, round after round, service and control of each one after the other. */
export async function measureGrowth(cases: readonly Case[], plan: GrowthPlan): Promise<readonly GrowthRow[]> {
  const started: Started[] = [];
  try {
    for (const one of cases) started.push(await start(one, plan.warmSeconds));
    for (let done = 0; done < plan.rounds; done++) {
      for (const { name, pair, rounds } of started) {
        const service = await pair.measureService(plan.window);
        rounds.push({ service, control: await pair.measureControl(plan.window) });
        tell(`round ${done + 1} of ${plan.rounds}: ${name}, ${service.cpuMicrosPerRequest.toFixed(0)} us a request`);
      }
    }
    return started.map((one) => toGrowthRow(one, started[0] ?? one));
  } finally {
    for (const { pair } of started) await pair.stop();
  }
}

/** Measures what a redemption costs while the store grows, and prints a table or JSON. */
export async function benchGrowth(isJson: boolean): Promise<void> {
  const [load = 0] = loadavg();
  tell(`${availableParallelism()} cores, load average ${load.toFixed(1)} before it begins`);
  const rows = await measureGrowth(CASES, PLAN);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  console.table(
    rows.map((row) => ({
      ...toLine(row),
      growth: `${row.growth} (${row.growth_range.join("..")})`,
      "database MB": row.database_mb,
    })),
  );
}
