import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** The requests to send, and for how long. */
export type Load = {
  readonly url: string;
  readonly planFile: string;
  readonly lineFiles: readonly string[];
  readonly mayRepeat: boolean;
  /** Whole seconds. */
  readonly seconds: number;
  /** Pause before each request of a connection, ms. */
  readonly pauseMs: number;
  /** Connections that are open at the same time. */
  readonly connections: number;
};

/** The load generator's results. */
export type LoadResult = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with a status of 400 or more. */
  readonly refusals: number;
  /** Whether the lines ran out. */
  readonly hasRunOut: boolean;
};

const SCRIPT = join(import.meta.dirname, "requests.lua");
const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Whether the load generator is installed. */
export const hasWrk = (): boolean => spawnSync("wrk", ["-v"]).error === undefined;

/** Servers run on one core and the load on another, if there are two. */
export function pinned(core: number, command: readonly string[]): [file: string, args: string[]] {
  const words =
    availableParallelism() > 1 ? ["taskset", "-c", String(core), ...command] : [...command];
  const [file = "", ...args] = words;
  return [file, args];
}

function milliseconds(output: string, label: string): number {
  const match = new RegExp(`${label}\\s+([\\d.]+)(us|ms|s|m)`).exec(output);
  return Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
}

function number(output: string, pattern: RegExp): number {
  return Number(pattern.exec(output)?.[1] ?? Number.NaN);
}

/** Reads wrk's output; throws if connections failed. */
export function readWrk(output: string): LoadResult {
  if (/Socket errors/.test(output)) throw new Error(`connections failed:\n${output}`);
  const refusals = number(output, /Non-2xx or 3xx responses: (\d+)/);
  return {
    requests: number(output, /(\d+) requests in/),
    requestsPerSecond: number(output, /Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(output, "50%"),
    p99Ms: milliseconds(output, "99%"),
    refusals: Number.isNaN(refusals) ? 0 : refusals,
    hasRunOut: output.includes("Ran out of lines"),
  };
}

/**
 * Loads the server as much as it can take, for the whole time; rejects if the load generator fails.
 */
export async function runWrk(load: Load): Promise<LoadResult> {
  const { url, planFile, lineFiles, mayRepeat, seconds, pauseMs, connections } = load;
  const plan = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "--latency"];
  const words = [planFile, mayRepeat ? "repeat" : "once", String(pauseMs), ...lineFiles];
  const [file, args] = pinned(1, ["wrk", ...plan, "-s", SCRIPT, url, "--", ...words]);
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  return readWrk(output);
}
