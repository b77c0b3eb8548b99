// `npm run bench -- growth`: the cost of a redemption as the store grows, all in one run.
import { spawnSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { warm } from "../bench-service.ts";
import { type BenchPair, startPair, type WindowPlan } from "../round.ts";
import { type RoundPair, type Row, toLine, toRows } from "../rows.ts";
import { createFill, type Holding } from "./fill.ts";

/** A store to measure. */
export type Case = Holding & { readonly name: string };

/**
 * A row of `redeem`; `database_mb` is the size of the filled database file before the load, MiB.
 */
export type GrowthRow = Row & { readonly database_mb: number };

/** How long and how often to measure. */
export type GrowthPlan = {
  readonly rounds: number;
  readonly window: WindowPlan;
  readonly warmSeconds: number;
};

const LEAST: Holding = { sites: 1, tokens: 0, hasStatistics: false };
/** Each kind from the smallest to the largest that one small machine may hold. */
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
  window: { seconds: 3, pauseMs: 0, connections: 64 },
  warmSeconds: 6,
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

function toGrowthRow({ name, bytes, rounds }: Started): GrowthRow {
  return { ...toRows(name, rounds)[0], database_mb: Number((bytes / 2 ** 20).toFixed(1)) };
}

/** Measures all cases in turn, round by round, each service followed by its control. */
export async function measureGrowth(
  cases: readonly Case[],
  plan: GrowthPlan,
): Promise<readonly GrowthRow[]> {
  const started: Started[] = [];
  try {
    for (const one of cases) started.push(await start(one, plan.warmSeconds));
    for (let done = 0; done < plan.rounds; done++) {
      for (const { name, pair, rounds } of started) {
        // Otherwise a commit would wait for everything written before, such as the store of the
        // previous case.
        spawnSync("sync");
        const service = await pair.measureService(plan.window);
        rounds.push({ service, control: await pair.measureControl(plan.window) });
        tell(
          `round ${done + 1} of ${plan.rounds}: ${name}, ${service.cpuMicrosPerRequest.toFixed(0)} us a request`,
        );
      }
    }
    return started.map(toGrowthRow);
  } finally {
    for (const { pair } of started) await pair.stop();
  }
}

/** Measures the cost of a redemption as the store grows, and prints a table or JSON. */
export async function benchGrowth(isJson: boolean): Promise<void> {
  const [load = 0] = loadavg();
  tell(`${availableParallelism()} cores, load average ${load.toFixed(1)} before it begins`);
  const rows = await measureGrowth(CASES, PLAN);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return;
  }
  console.table(rows.map((row) => ({ ...toLine(row), "database MB": row.database_mb })));
}
