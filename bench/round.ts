import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, Prepared, Report, Usage, Workload } from "./messages.ts";

/** What one round measured. */
export type Round = {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssBytes: number;
};

const CONNECTIONS = 64;

type Plan = {
  /** Before it counts, a server runs until its hot functions are compiled; it may run out of bodies before that time. */
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Bodies enough for both, if the machine makes them in time (`MINT_SECONDS`). */
  readonly requests: number;
};
const PLANS: Readonly<Record<Workload, Plan>> = {
  redeem: { warmSeconds: 2, seconds: 4, requests: 240_000 },
  issue: { warmSeconds: 2, seconds: 4, requests: 0 },
  submit: { warmSeconds: 10, seconds: 1, requests: 17_000 },
};
/** Share of the bodies that are the warm-up's. */
const WARM_SHARE = 0.4;
/** The control takes the same requests again and again. */
const CONTROL_REQUESTS = 2000;

const directory = import.meta.dirname;

/** Servers on one core, the load on the other, where there are two. */
function pinned(core: number, command: readonly string[]): [string, string[]] {
  const words = availableParallelism() > 1 ? ["taskset", "-c", String(core), ...command] : [...command];
  const [file = "", ...args] = words;
  return [file, args];
}

function startTarget(dataDirectory: string): ChildProcess {
  const [file, args] = pinned(0, [process.execPath, join(directory, "target.ts"), dataDirectory]);
  return spawn(file, args, { stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "json" });
}

async function ask<Kind extends Report["kind"]>(
  target: ChildProcess,
  command: Command,
): Promise<Extract<Report, { kind: Kind }>> {
  target.send(command);
  const [report] = (await Promise.race([
    once(target, "message"),
    once(target, "exit").then(([code]) => Promise.reject(new Error(`the server under load ended with ${code}`))),
  ])) as [Extract<Report, { kind: Kind }>];
  return report;
}

type Load = {
  readonly seconds: number;
  /** Shares of the bodies after which to begin and to stop. */
  readonly from: number;
  readonly to: number;
  readonly isControl: boolean;
};

async function load(prepared: Prepared, { seconds, from, to, isControl }: Load): Promise<string> {
  const script = join(directory, "load", "requests.lua");
  const plan = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--timeout", "10s", "--latency"];
  const wrk = ["wrk", ...plan, "-s", script, prepared.url, "--"];
  const bodies = [prepared.requestsFile, String(from), String(to), isControl ? "cycle" : "once"];
  const [file, args] = pinned(1, [...wrk, ...bodies]);
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  return output;
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

function milliseconds(output: string, label: string): number {
  const match = new RegExp(`${label}\\s+([\\d.]+)(us|ms|s)`).exec(output);
  return Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
}

function number(output: string, pattern: RegExp): number {
  return Number(pattern.exec(output)?.[1] ?? Number.NaN);
}

/** A round is void if an answer was an error, or a request was answered without the work being done. */
function check(workload: Workload, isControl: boolean, output: string, usage: Usage): void {
  const requests = number(output, /(\d+) requests in/);
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`errors in the round of ${workload}:\n${output}`);
  const missing = usage.counted - requests;
  if (isControl) return;
  if (usage.wasted > 0) throw new Error(`${usage.wasted} requests of ${workload} were replays or refusals`);
  if (missing < 0 || missing > 2 * CONNECTIONS) {
    throw new Error(`${workload}: ${requests} answers, but the store counted ${usage.counted}`);
  }
}

/** Starts a server with an empty store, loads it, checks its counters, and stops it. */
export async function runRound(workload: Workload, isControl: boolean): Promise<Round> {
  const plan = PLANS[workload];
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-bench-"));
  const target = startTarget(dataDirectory);
  try {
    const requests = isControl ? CONTROL_REQUESTS : plan.requests;
    const prepared = await ask<"prepared">(target, { kind: "prepare", workload, isControl, requests });
    await load(prepared, { seconds: plan.warmSeconds, from: 0, to: WARM_SHARE, isControl });
    await ask<"begun">(target, { kind: "begin" });
    const output = await load(prepared, { seconds: plan.seconds, from: WARM_SHARE, to: 1, isControl });
    const usage = await ask<"usage">(target, { kind: "end" });
    check(workload, isControl, output, usage);
    return {
      requestsPerSecond: number(output, /Requests\/sec:\s+([\d.]+)/),
      cpuMicrosPerRequest: usage.cpuMicros / usage.counted,
      p50Ms: milliseconds(output, "50%"),
      p99Ms: milliseconds(output, "99%"),
      rssBytes: usage.rssBytes,
    };
  } finally {
    target.kill("SIGKILL");
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}
