// `npm run bench -- redeem|issue|submit|all [--json] [--rounds N]`: requests a second and CPU a request of the service,
// against a constant answer of the same node:http server in the same run. Load comes from wrk on the other core.
// `npm run bench -- pow [--json]`: what the puzzle costs a visitor, an attacker and the server.
// `npm run bench -- hostile-shapes [--json]`: server CPU of requests that anybody may send, by route and shape.
// `npm run bench -- dashboard [--json]`: what the pages of the dashboard wait for, with 13 months of data.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { WORKLOADS, type Workload } from "./messages.ts";
import { type Round, runRound } from "./round.ts";

/** One line of the result; `ratio` is throughput and `cpu_ratio` CPU a request, both against the control. */
type Row = {
  readonly name: string;
  readonly rps: number;
  readonly cpu_us: number;
  readonly cpu_ratio: number;
  readonly ratio: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly rss_mb: number;
};

const HELP = `Usage: npm run bench -- redeem|issue|submit|all [--json] [--rounds N]
       npm run bench -- pow|dashboard|hostile-shapes [--json]
`;

function refuse(message: string): never {
  process.stderr.write(`bench: ${message}\n${HELP}`);
  process.exit(2);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function toRow(name: string, rounds: readonly Round[], ratios: { cpu: number; throughput: number }): Row {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  return {
    name,
    rps: Math.round(of((r) => r.requestsPerSecond)),
    cpu_us: round(
      of((r) => r.cpuMicrosPerRequest),
      1,
    ),
    cpu_ratio: round(ratios.cpu, 2),
    ratio: round(ratios.throughput, 2),
    p50_ms: round(
      of((r) => r.p50Ms),
      2,
    ),
    p99_ms: round(
      of((r) => r.p99Ms),
      2,
    ),
    rss_mb: Math.round(of((r) => r.rssBytes) / 2 ** 20),
  };
}

/** Service and control in turn, so that a drifting machine meets both alike; ratios are medians of pairs. */
async function measure(workload: Workload, roundCount: number): Promise<Row[]> {
  const pairs: { service: Round; control: Round }[] = [];
  for (let i = 0; i < roundCount; i++) {
    process.stderr.write(`bench: ${workload}, round ${i + 1} of ${roundCount}\n`);
    const control = await runRound(workload, true);
    const service = await runRound(workload, false);
    pairs.push({ service, control });
  }
  const cpu = median(pairs.map((pair) => pair.service.cpuMicrosPerRequest / pair.control.cpuMicrosPerRequest));
  const throughput = median(pairs.map((pair) => pair.service.requestsPerSecond / pair.control.requestsPerSecond));
  return [
    toRow(
      workload,
      pairs.map((pair) => pair.service),
      { cpu, throughput },
    ),
    toRow(
      `${workload} control`,
      pairs.map((pair) => pair.control),
      { cpu: 1, throughput: 1 },
    ),
  ];
}

async function benchService(asked: string, isJson: boolean, roundCount: number): Promise<void> {
  const workloads = WORKLOADS.filter((workload) => asked === "all" || asked === workload);
  if (workloads.length === 0) refuse(`there is no bench "${asked}".`);
  if (!Number.isInteger(roundCount) || roundCount < 1) refuse("--rounds must be a whole number from 1 on.");
  if (spawnSync("wrk", ["-v"]).error) refuse('wrk is missing. Install the package "wrk".');

  const rows: Row[] = [];
  for (const workload of workloads) rows.push(...(await measure(workload, roundCount)));
  if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else console.table(rows);
  if (asked === "all" && !isJson) {
    const lifeCycle = rows.filter((row) => !row.name.endsWith("control")).reduce((sum, row) => sum + row.cpu_us, 0);
    console.log(`Life cycle of a token (issue + submit + redeem): ${lifeCycle.toFixed(0)} us of server CPU`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, rounds: { type: "string" } },
});
const [asked = "all", ...more] = positionals;
if (more.length > 0) refuse(`there is no bench "${positionals.join(" ")}".`);
if (asked === "pow") {
  if (values.rounds !== undefined) refuse("pow takes no --rounds.");
  const { benchPow } = await import("./pow/bench-pow.ts");
  await benchPow(values.json);
} else if (asked === "dashboard") {
  if (values.rounds !== undefined) refuse("dashboard takes no --rounds.");
  const { benchDashboard } = await import("./dashboard.ts");
  if (!(await benchDashboard(values.json))) process.exitCode = 1;
} else if (asked === "hostile-shapes") {
  if (values.rounds !== undefined) refuse("hostile-shapes takes no --rounds.");
  const { benchHostileShapes } = await import("./hostile-shapes.ts");
  await benchHostileShapes(values.json);
} else await benchService(asked, values.json, Number(values.rounds ?? 5));
