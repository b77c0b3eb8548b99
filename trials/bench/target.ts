// The server under load: a separate process that gets its orders over IPC. It is the composed
// service with raised limits, or the control: the same node:http server, which answers every
// request with the same headers and a constant body.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startOfPeriod } from "@stile/core/domain/statistics/periods";
import { composeService, type Service } from "@stile/server/compose/compose";
import { type Config, readConfig } from "@stile/server/config/config";
import { securityHeaders } from "@stile/server/http/answer/security-headers";
import { writeAnswer } from "@stile/server/http/answer/write-answer";
import { SERVER_OPTIONS } from "@stile/server/http/listener";
import { createLog } from "@stile/server/telemetry/log";
import { type CpuProfiling, startCpuProfiling } from "./cpu-profiler.ts";
import type { Command, Prepared, Report, Usage, Workload } from "./messages.ts";
import { LOAD_ADDRESS, WORKLOAD_PLANS, type WorkloadPlan } from "./workloads.ts";

/**
 * The data directory of this row, and the address of its database, empty if it has none; the
 * process that started this one removes them.
 */
const [directory = "", databaseUrl = ""] = process.argv.slice(2);

/** The server's counts so far. */
type Counts = Pick<Usage, "counted" | "wasted">;
/** The server under load. */
type Target = { readonly prepared: Prepared; readonly count: () => Promise<Counts> };

function configOf(isBehindProxy: boolean): Config {
  const reading = readConfig({
    STILE_DATA_DIR: directory,
    STILE_DATABASE_URL: databaseUrl,
    STILE_PORT: "0",
    STILE_LOG_LEVEL: "error",
    ...(isBehindProxy && { STILE_TRUSTED_PROXIES: LOAD_ADDRESS }),
    STILE_LIMIT_VERIFY: "10000000",
    STILE_LIMIT_SCORE: "10000000",
    STILE_LIMIT_CHALLENGE: "10000000",
    STILE_LIMIT_CHALLENGE_TOTAL: "10000000",
  });
  if (reading.kind === "problems") throw new Error(reading.problems.join("\n"));
  return reading.config;
}

async function startControl(workload: Workload): Promise<Target> {
  const security = securityHeaders(undefined);
  const steps = WORKLOAD_PLANS[workload].steps({ siteKey: "", secretKey: "" });
  const [{ answer: only } = { answer: undefined }, ...others] = steps;
  const answerTo = (url = ""): (typeof steps)[number]["answer"] | undefined =>
    others.length === 0 ? only : steps.find(({ path }) => url.startsWith(path))?.answer;
  let counted = 0;
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    // Like any server, it receives the body before it answers; it just does nothing with it.
    request.on("data", () => {});
    request.on("end", () => {
      counted += 1;
      const answer = answerTo(request.url) ?? { status: 200, body: {} };
      writeAnswer(response, answer, { requestId: crypto.randomUUID() }, security);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    prepared: { kind: "prepared", url, siteKey: "", secretKey: "" },
    count: async () => ({ counted, wasted: [] }),
  };
}

type Metrics = NonNullable<WorkloadPlan["metrics"]>;

/** The site keys of all sites in the store. */
async function listSiteKeys({ sites }: Service["store"]): Promise<readonly string[]> {
  const accounts = await sites.listAccounts();
  const all = await Promise.all(accounts.map(({ accountId }) => sites.listSites(accountId)));
  return all.flat().map(({ siteKey }) => siteKey);
}

/**
 * Counts by the store's statistics, which prove that the work was done; those of earlier minutes
 * may be synthetic.
 */
async function countMetrics(
  { statistics }: Service["store"],
  siteKeys: readonly string[],
  fromMs: number,
  { wanted, wasted }: Metrics,
): Promise<Counts> {
  await statistics.flush();
  const span = {
    resolution: "minute",
    fromMs,
    toMs: Date.now() + 60_000,
    kinds: ["outcome", "refused"],
  } as const;
  let counted = 0;
  const wrong: string[] = [];
  for (const siteKey of siteKeys) {
    for (const { metric, count } of await statistics.readSums({ siteKey, ...span })) {
      if (metric === wanted) counted += count;
      if (wasted.some((prefix) => metric.startsWith(prefix))) wrong.push(`${count} ${metric}`);
    }
  }
  return { counted, wasted: wrong };
}

async function startService(workload: Workload): Promise<Target> {
  const { metrics, isBehindProxy } = WORKLOAD_PLANS[workload];
  const service = await composeService(configOf(isBehindProxy), createLog("error"));
  const keys = service.firstStart.demoKeys;
  if (keys === undefined) throw new Error("the bench needs the demo site");
  let requests = 0;
  if (metrics === undefined) service.server.on("request", () => (requests += 1));
  const { url } = await service.listen();
  const { siteKey, secretKey } = keys;
  const startMs = startOfPeriod("minute", Date.now());
  // Listed on first use: by then the store is filled.
  let siteKeys: readonly string[] | undefined;
  const countByStore = async (metrics: Metrics): Promise<Counts> => {
    siteKeys ??= await listSiteKeys(service.store);
    return await countMetrics(service.store, siteKeys, startMs, metrics);
  };
  return {
    prepared: { kind: "prepared", url, siteKey, secretKey },
    count: () =>
      metrics === undefined
        ? Promise.resolve({ counted: requests, wasted: [] })
        : countByStore(metrics),
  };
}

let target: Target | undefined;
let name = "";
let countedBefore = 0;
let cpuBefore = process.cpuUsage();
let profiling: CpuProfiling | undefined;

async function countTarget(): Promise<Counts> {
  if (target === undefined) throw new Error("the server under load is not prepared");
  return await target.count();
}

async function end(): Promise<Usage> {
  const { user, system } = process.cpuUsage(cpuBefore);
  const rssBytes = process.memoryUsage.rss();
  const profiles = (await profiling?.stop()) ?? [];
  profiling = undefined;
  const { counted, wasted } = await countTarget();
  return {
    kind: "usage",
    cpuMicros: user + system,
    rssBytes,
    counted: counted - countedBefore,
    wasted,
    profiles,
  };
}

async function obey(command: Command): Promise<Report> {
  switch (command.kind) {
    case "prepare":
      name = command.workload;
      target = await (command.isControl
        ? startControl(command.workload)
        : startService(command.workload));
      return target.prepared;
    case "begin":
      countedBefore = (await countTarget()).counted;
      if (command.profiles !== undefined)
        profiling = await startCpuProfiling(command.profiles, name);
      cpuBefore = process.cpuUsage();
      return { kind: "begun" };
    case "end":
      return await end();
    default:
      return command satisfies never;
  }
}

process.on("message", async (command: Command) => {
  process.send?.(await obey(command));
});
process.on("disconnect", () => process.exit(0));
