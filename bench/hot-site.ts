import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { seedSite } from "@stile/stores/contract/contract-fixtures";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import { startPostgres, type ThrowAwayPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import type { NodePlan, NodeReport } from "./hot-site-node.ts";
import { median } from "./rows.ts";

/**
 * One site on some nodes. Times of the engine are milliseconds per batch; those of minutes and counts are part of the
 * batch's.
 */
export type HotSiteRow = {
  readonly nodes: number;
  /** How many redemptions each node has under way, which limits the size of a batch. */
  readonly callers: number;
  readonly leases: "on" | "off";
  readonly redemptions_per_s: number;
  readonly least: number;
  readonly most: number;
  readonly redemptions_a_batch: number;
  readonly batch_ms: number;
  /** Time until the batch has locked the minutes of its limits. */
  readonly minutes_ms: number;
  /** Time for writing counts, including the wait for those rows. */
  readonly counts_ms: number;
  /** A commit of one row by a node that waits for nothing else. */
  readonly commit_ms: number;
  /** CPU of the engine per redemption, microseconds. */
  readonly engine_us: number;
  /** Bytes that one redemption leaves in the engine's log and, with indexes, in the tables of spent tokens. */
  readonly log_bytes: number;
  readonly token_bytes: number;
};

/** On how many nodes, how often and how long to measure, with leases and without. */
export type HotSitePlan = {
  readonly loads: readonly Pick<HotSiteRow, "nodes" | "callers">[];
  readonly rounds: number;
  readonly seconds: number;
};
type Case = Pick<HotSiteRow, "nodes" | "callers" | "leases">;

/** What the command measures. */
const FULL_PLAN: HotSitePlan = {
  loads: [
    { nodes: 1, callers: 10 },
    { nodes: 1, callers: 300 },
    { nodes: 2, callers: 300 },
  ],
  rounds: 3,
  seconds: 4,
};

/** Far above what nodes reach together; a leased block is a hundredth of it. */
const PER_MINUTE = 1_000_000;

async function runNode(plan: NodePlan, whenReady: (go: () => void) => void): Promise<NodeReport> {
  const child = fork(join(import.meta.dirname, "hot-site-node.ts"), [JSON.stringify(plan)]);
  const failed = once(child, "exit").then(([code]) => Promise.reject(new Error(`a node ended with ${code}`)));
  failed.catch(() => {});
  await Promise.race([once(child, "message"), failed]);
  const report = once(child, "message");
  whenReady(() => child.send("go"));
  return (await Promise.race([report, failed]))[0] as NodeReport;
}

/** All nodes begin once the last one is ready. */
async function runNodes(plans: readonly NodePlan[]): Promise<readonly NodeReport[]> {
  const waiting: (() => void)[] = [];
  const whenReady = (go: () => void): void => {
    if (waiting.push(go) === plans.length) for (const start of waiting) start();
  };
  return await Promise.all(plans.map((plan) => runNode(plan, whenReady)));
}

/** A sum over the engine's statistics of functions: their calls, or the milliseconds that these took. */
function sumOf(engine: ThrowAwayPostgres, database: string, column: "calls" | "total_time", names: string): number {
  const sql = `SELECT coalesce(sum(${column}), 0) FROM pg_stat_user_functions WHERE funcname ~ '${names}'`;
  return Number(engine.runSql(database, sql));
}

const SPENDING = "^spend_(all_1|2|leased_1)$";
/** The function of a batch, and the two within it that wait for rows shared by nodes. */
const TIMED = [SPENDING, "^lock_windows_1$", "^count_1$"];

const TICKS_PER_SECOND = 100;

/** CPU of the server process and of all its ended connections, microseconds. */
function cpuMicrosOf(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) /);
  const ticks = fields.split(" ").slice(11, 15).map(Number);
  return (1_000_000 / TICKS_PER_SECOND) * ticks.reduce((sum, some) => sum + some, 0);
}

const LOG_BYTES = "SELECT pg_current_wal_lsn() - '0/0'";
const TOKEN_BYTES = `SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'token_marks'::REGCLASS`;

type Window = Omit<HotSiteRow, keyof Case | "least" | "most">;

async function measure(
  engine: ThrowAwayPostgres,
  database: string,
  { nodes, callers, leases }: Case,
  seconds: number,
): Promise<Window> {
  const url = engine.createDatabase(database);
  const store = await openPostgresStore({ url });
  const { siteKey } = await seedSite(store);
  await store.close();
  const ask = (sql: string): number => Number(engine.runSql(database, sql));
  const plan = { url, siteKey, areLimitsLeased: leases === "on", perMinute: PER_MINUTE, callers, seconds };
  const [cpuBefore, logBefore] = [cpuMicrosOf(engine.pid()), ask(LOG_BYTES)];
  const reports = await runNodes(Array.from({ length: nodes }, () => plan));
  const sumUp = (of: (report: NodeReport) => number): number => reports.reduce((sum, report) => sum + of(report), 0);
  const [spent, batches] = [sumUp((report) => report.spent), sumUp((report) => report.batches)];
  // A connection reports its figures when it ends, a moment after the node has closed it.
  while (sumOf(engine, database, "calls", SPENDING) < batches) await delay(50);
  const [batchMs, minutesMs, countsMs] = TIMED.map((name) => sumOf(engine, database, "total_time", name) / batches);
  return {
    redemptions_per_s: spent / seconds,
    redemptions_a_batch: spent / batches,
    batch_ms: batchMs ?? 0,
    minutes_ms: minutesMs ?? 0,
    counts_ms: countsMs ?? 0,
    commit_ms: sumUp(({ commitMs }) => commitMs) / nodes,
    engine_us: (cpuMicrosOf(engine.pid()) - cpuBefore) / spent,
    log_bytes: (ask(LOG_BYTES) - logBefore) / spent,
    token_bytes: ask(TOKEN_BYTES) / spent,
  };
}

function toRow(one: Case, windows: readonly Window[]): HotSiteRow {
  const rates = windows.map((window) => Math.round(window.redemptions_per_s));
  const inShort = (name: keyof Window): number => {
    const value = median(windows.map((window) => window[name]));
    return Number(value.toFixed(value < 100 ? 2 : 0));
  };
  return {
    ...one,
    redemptions_per_s: inShort("redemptions_per_s"),
    least: Math.min(...rates),
    most: Math.max(...rates),
    redemptions_a_batch: inShort("redemptions_a_batch"),
    batch_ms: inShort("batch_ms"),
    minutes_ms: inShort("minutes_ms"),
    counts_ms: inShort("counts_ms"),
    commit_ms: inShort("commit_ms"),
    engine_us: inShort("engine_us"),
    log_bytes: inShort("log_bytes"),
    token_bytes: inShort("token_bytes"),
  };
}

/** Measures one site, each case once per round, on an engine whose commits reach the disk. */
export async function measureHotSite({ loads, rounds, seconds }: HotSitePlan): Promise<readonly HotSiteRow[]> {
  const engine = await startPostgres({ isDurable: true, settings: ["track_functions=all"] });
  try {
    const cases = loads.flatMap((load) => (["off", "on"] as const).map((leases): Case => ({ ...load, leases })));
    const windows = cases.map((): Window[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, one] of cases.entries()) {
        windows[at]?.push(await measure(engine, `hot_${round}_${at}`, one, seconds));
      }
    }
    return cases.map((one, at) => toRow(one, windows[at] ?? []));
  } finally {
    await engine.stop();
  }
}

/** Prints the result as a table or as JSON. */
export async function benchHotSite(isJson: boolean): Promise<boolean> {
  const rows = await measureHotSite(FULL_PLAN);
  if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else console.table(rows);
  return true;
}
