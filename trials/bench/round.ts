import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { HEAP_OPTIONS, MALLOC_SETTINGS } from "@stile/server/lifecycle/heap-options";
import type { ThreadProfile } from "./cpu-profiler.ts";
import { type LoadResult, pinned, runWrk } from "./load/wrk.ts";
import type { Command, Prepared, Report, Usage, Workload } from "./messages.ts";
import { type SiteKeys, WORKLOAD_PLANS } from "./workloads.ts";

/** The result of one window; for a token's life, "a request" is its three. */
export type Round = {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  /** For each single request. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssBytes: number;
  /** Empty unless the window was profiled. */
  readonly profiles: readonly ThreadProfile[];
};

/** How to run one window. */
export type WindowPlan = {
  /** Whole seconds. */
  readonly seconds: number;
  /**
   * How long each connection waits before each request, ms. 0 loads the server as much as possible.
   */
  readonly pauseMs: number;
  /**
   * Connections open at the same time. If there are few, a stalled server is not asked for more
   * than it can answer in time.
   */
  readonly connections: number;
  /** Where to put CPU profiles of the window, if it is profiled. */
  readonly profiles?: string;
};

/** Service and control of one row, both running; only one of them is loaded at a time. */
export type BenchPair = {
  readonly measureService: (plan: WindowPlan) => Promise<Round>;
  readonly measureControl: (plan: WindowPlan) => Promise<Round>;
  readonly stop: () => Promise<void>;
};

const directory = import.meta.dirname;

/** The server under load. */
export const TARGET_SOURCE = join(directory, "target.ts");

type Server = {
  readonly prepared: Prepared;
  readonly ask: <Kind extends Report["kind"]>(
    command: Command,
  ) => Promise<Extract<Report, { kind: Kind }>>;
  readonly stop: () => Promise<void>;
};

function createAsking(child: ChildProcess): Server["ask"] {
  const ended = once(child, "exit").then(([code]) =>
    Promise.reject(new Error(`the server under load ended with ${code}`)),
  );
  ended.catch(() => {});
  return async <Kind extends Report["kind"]>(command: Command) => {
    child.send(command);
    const [report] = await Promise.race([once(child, "message"), ended]);
    return report as Extract<Report, { kind: Kind }>;
  };
}

/**
 * Where the service of a row stores its data: in a database, or with an empty address in SQLite in
 * the directory.
 */
type Place = { readonly dataDirectory: string; readonly databaseUrl: string };

async function startServer(
  program: string,
  workload: Workload,
  place: Place,
  isControl: boolean,
): Promise<Server> {
  const { dataDirectory, databaseUrl } = place;
  const command = [process.execPath, ...HEAP_OPTIONS, program, dataDirectory, databaseUrl];
  const [file, args] = pinned(0, command);
  const env = { ...process.env, ...MALLOC_SETTINGS };
  const child = spawn(file, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "json",
    env,
  });
  const ask = createAsking(child);
  const stop = async (): Promise<void> => {
    const exited =
      child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await exited;
  };
  try {
    return { prepared: await ask<"prepared">({ kind: "prepare", workload, isControl }), ask, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Writes the requests in the load generator's format, each site's in turn. */
function writePlan(workload: Workload, sites: readonly SiteKeys[], file: string): void {
  const texts = sites
    .flatMap(WORKLOAD_PLANS[workload].steps)
    .map(({ method, path, headers, body = "" }) => {
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return [`${method} ${path}`, ...head, "", body, ""].join("\n");
    });
  writeFileSync(file, texts.join(""));
}

/**
 * Mints lines on all cores, no two alike in a whole row; returns their files and removes earlier
 * ones.
 */
function createMinting(
  workload: Workload,
  { dataDirectory, databaseUrl }: Place,
  sites: readonly SiteKeys[],
) {
  const keysFile = join(dataDirectory, "site-keys.json");
  writeFileSync(keysFile, JSON.stringify(sites.map(({ siteKey }) => siteKey)));
  // A row mints a dozen times: from the second time on, the program is compiled.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dataDirectory, "compiled") };
  let seed = 0;
  let files: string[] = [];
  const mintOne = async (count: number): Promise<string> => {
    const [from, to] = [seed, seed + count];
    seed = to;
    const file = join(dataDirectory, `lines-${from}.txt`);
    const args = [
      join(directory, "mint.ts"),
      workload,
      dataDirectory,
      keysFile,
      String(from),
      String(to),
      file,
      databaseUrl,
    ];
    const [code] = await once(spawn(process.execPath, args, { stdio: "inherit", env }), "exit");
    if (code !== 0) throw new Error(`minting the requests of ${workload} ended with ${code}`);
    return file;
  };
  return async (count: number): Promise<readonly string[]> => {
    for (const file of files) rmSync(file);
    const minters = availableParallelism();
    // The same number for each site, so that the first line of every file is for the first site,
    // like the first request of the plan.
    const linesOfOne = Math.ceil(count / minters / sites.length);
    files = await Promise.all(
      Array.from({ length: minters }, () => mintOne(linesOfOne * sites.length)),
    );
    return files;
  };
}

/** The largest share of visitors who may get no token: 3 in 100. */
const UNLIKELY_SHARE = 0.03;

/**
 * A window is invalid if an answer was not of the kind that its row measures, or was given without
 * doing the work.
 */
function check(
  workload: Workload,
  { load, usage }: { readonly load: LoadResult; readonly usage: Usage },
  connections: number,
  isControl: boolean,
): void {
  const { steps, metrics } = WORKLOAD_PLANS[workload];
  const each = steps({ siteKey: "", secretKey: "" });
  const refusals = each.some(({ answer }) => answer.status >= 400) ? load.requests : 0;
  if (load.refusals !== refusals) {
    throw new Error(
      `${workload}: ${load.refusals} of ${load.requests} answers had a status of 400 or more`,
    );
  }
  if (isControl || metrics === undefined) return;
  if (usage.wasted.length > 0)
    throw new Error(
      `${workload}: not all was answered as it should be: ${usage.wasted.join(", ")}`,
    );
  // The load generator may have missed the answers at the end of the window. And of a hundred
  // synthetic visitors, one or two look synthetic, and are asked for a click instead of given a
  // token.
  const missing = usage.counted - load.requests / each.length;
  if (Math.abs(missing) > 2 * connections + UNLIKELY_SHARE * usage.counted) {
    throw new Error(
      `${workload}: ${load.requests} answers, but the store counted ${usage.counted}`,
    );
  }
}

type Sending = {
  readonly planFile: string;
  readonly lineFiles: readonly string[];
  readonly mayRepeat: boolean;
};

async function measure(
  workload: Workload,
  server: Server,
  sending: Sending,
  { profiles, ...window }: WindowPlan,
): Promise<{ readonly load: LoadResult; readonly usage: Usage }> {
  await server.ask<"begun">({ kind: "begin", profiles });
  const load = await runWrk({ url: server.prepared.url, ...sending, ...window });
  const usage = await server.ask<"usage">({ kind: "end" });
  check(workload, { load, usage }, window.connections, server.prepared.siteKey === "");
  return { load, usage };
}

function toRound(load: LoadResult, usage: Usage, requestsOfOne: number): Round {
  return {
    requestsPerSecond: load.requestsPerSecond / requestsOfOne,
    cpuMicrosPerRequest: usage.cpuMicros / usage.counted,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    rssBytes: usage.rssBytes,
    profiles: usage.profiles,
  };
}

const LONGEST_SECONDS = 60;

/**
 * If a machine is so busy that nothing was answered, a window is run again, twice as long; throws
 * beyond the limit.
 */
function toLonger(plan: WindowPlan): WindowPlan {
  if (plan.seconds >= LONGEST_SECONDS) throw new Error(`nothing was answered in ${plan.seconds} s`);
  return { ...plan, seconds: 2 * plan.seconds };
}

/**
 * More lines than the last load took in that time; twice as many as before, if it ran out of them.
 */
const SPARE = 1.3;

function createServiceMeasuring(
  workload: Workload,
  server: Server,
  planFile: string,
  mint: ReturnType<typeof createMinting>,
) {
  const { steps, lines, mayRepeat, firstRate } = WORKLOAD_PLANS[workload];
  const requestsOfOne = steps(server.prepared).length;
  let linesPerSecond = firstRate;
  let lineFiles: readonly string[] = [];

  const measureService = async (plan: WindowPlan): Promise<Round> => {
    const isFirst = lineFiles.length === 0;
    const mostPerSecond =
      plan.pauseMs > 0 ? (1000 * plan.connections) / plan.pauseMs : Number.POSITIVE_INFINITY;
    const count =
      Math.ceil(Math.min(linesPerSecond, mostPerSecond) * plan.seconds * SPARE) + plan.connections;
    if (lines !== "none" && (isFirst || !mayRepeat)) lineFiles = await mint(count);
    const { load, usage } = await measure(
      workload,
      server,
      { planFile, lineFiles, mayRepeat },
      plan,
    );
    if (load.hasRunOut) {
      linesPerSecond *= 2;
      return await measureService(plan);
    }
    if (usage.counted === 0) return await measureService(toLonger(plan));
    const round = toRound(load, usage, requestsOfOne);
    linesPerSecond = Math.max(1, round.requestsPerSecond);
    return round;
  };
  return { measureService, lineFiles: () => lineFiles };
}

/**
 * Fills the store of the service just started, alongside it; returns the sites that requests are
 * meant for.
 */
export type FillStore = (service: {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly demo: SiteKeys;
}) => Promise<readonly SiteKeys[]>;

/**
 * Starts both servers of a row as `program`: from source by default. The service's store is empty
 * unless filled, and in the given database. Call `measureService` first: the control is sent its
 * lines.
 */
export async function startPair(
  workload: Workload,
  fillStore: FillStore = async ({ demo }) => [demo],
  databaseUrl = "",
  program = TARGET_SOURCE,
): Promise<BenchPair> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-bench-"));
  const place = { dataDirectory, databaseUrl };
  const starts = [false, true].map((isControl) => startServer(program, workload, place, isControl));
  const stop = async (): Promise<void> => {
    for (const start of await Promise.allSettled(starts))
      if (start.status === "fulfilled") await start.value.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  try {
    const [service, control] = (await Promise.all(starts)) as [Server, Server];
    const planFile = join(dataDirectory, "plan.txt");
    const { url: baseUrl, ...demo } = service.prepared;
    const sites = await fillStore({ baseUrl, dataDirectory, demo });
    writePlan(workload, sites, planFile);
    const mint = createMinting(workload, place, sites);
    const { measureService, lineFiles } = createServiceMeasuring(workload, service, planFile, mint);
    const measureControl: BenchPair["measureControl"] = async (plan) => {
      const sending = { planFile, lineFiles: lineFiles(), mayRepeat: true };
      const { load, usage } = await measure(workload, control, sending, plan);
      return usage.counted === 0 ? await measureControl(toLonger(plan)) : toRound(load, usage, 1);
    };
    return { measureService, measureControl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
