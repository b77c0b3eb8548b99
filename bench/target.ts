// The server under load: a process of its own, told over IPC what to prepare. It is the composed service with its limits
// raised, or the control: the same node:http server that answers every request with the same headers and a constant body.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { composeService, type Service } from "@stile/server/compose";
import { type Config, readConfig } from "@stile/server/config";
import { writeAnswer } from "@stile/server/http/answer";
import { SERVER_OPTIONS } from "@stile/server/http/listener";
import { securityHeaders } from "@stile/server/http/security-headers";
import { createLog } from "@stile/server/telemetry/log";
import type { Command, Report, Usage, Workload } from "./messages.ts";
import { CONTROL_ANSWERS } from "./workloads.ts";

/** The data directory of this round; who started this process removes it. */
const [directory = ""] = process.argv.slice(2);

const METRICS: Readonly<Record<Workload, { wanted: string; wasted: string }>> = {
  redeem: { wanted: "token_redeemed", wasted: "refused:" },
  issue: { wanted: "challenge_issued", wasted: "none" },
  submit: { wanted: "challenge_solved", wasted: "challenge_failed" },
};

function configOf(): Config {
  const reading = readConfig({
    STILE_DATA_DIR: directory,
    STILE_PORT: "0",
    STILE_LOG_LEVEL: "error",
    STILE_LIMIT_VERIFY: "10000000",
    STILE_LIMIT_SCORE: "10000000",
    STILE_LIMIT_CHALLENGE: "10000000",
  });
  if (reading.kind === "problems") throw new Error(reading.problems.join("\n"));
  return reading.config;
}

let service: Service | undefined;
let workload: Workload = "redeem";
let controlRequests = 0;
let isControl = false;
let countsBefore: Counts = { counted: 0, wasted: 0 };
let cpuBefore = process.cpuUsage();

function send(report: Report): void {
  process.send?.(report);
}

async function startControl(): Promise<string> {
  const security = securityHeaders(undefined);
  const answer = { status: 200, ...CONTROL_ANSWERS[workload] };
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    // Like any server, it takes the body before it answers; it only does nothing with it.
    request.on("data", () => {});
    request.on("end", () => {
      controlRequests++;
      writeAnswer(response, answer, { requestId: crypto.randomUUID() }, security);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function mint(running: Service, count: number): Promise<string> {
  const keys = running.firstStart.demoKeys;
  if (keys === undefined) throw new Error("the bench needs the demo site");
  const file = join(directory, "requests.txt");
  const script = join(import.meta.dirname, "mint.ts");
  const args = [script, workload, String(count), directory, keys.siteKey, keys.secretKey, file];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error(`minting the requests ended with ${code}`);
  return file;
}

async function prepare(command: Extract<Command, { kind: "prepare" }>): Promise<void> {
  workload = command.workload;
  isControl = command.isControl;
  // The control is sent the same requests.
  service = await composeService(configOf(), createLog("error"));
  const requestsFile = await mint(service, command.requests);
  const url = isControl ? await startControl() : (await service.listen()).url;
  send({ kind: "prepared", url, requestsFile });
}

async function countMetrics(running: Service): Promise<Counts> {
  await running.store.statistics.flush();
  const siteKey = running.firstStart.demoKeys?.siteKey ?? "";
  const whole = { siteKey, resolution: "day", fromMs: 0, toMs: Date.now() + 60_000 } as const;
  const sums = await running.store.statistics.readSums({ ...whole, kinds: ["outcome", "refused"] });
  const sumOf = (prefix: string) =>
    sums.reduce((sum, { metric, count }) => (metric.startsWith(prefix) ? sum + count : sum), 0);
  return { counted: sumOf(METRICS[workload].wanted), wasted: sumOf(METRICS[workload].wasted) };
}

type Counts = Pick<Usage, "counted" | "wasted">;

async function count(): Promise<Counts> {
  if (isControl || service === undefined) return { counted: controlRequests, wasted: 0 };
  return await countMetrics(service);
}

async function end(): Promise<void> {
  const { user, system } = process.cpuUsage(cpuBefore);
  const rssBytes = process.memoryUsage.rss();
  const { counted, wasted } = await count();
  send({
    kind: "usage",
    cpuMicros: user + system,
    rssBytes,
    counted: counted - countsBefore.counted,
    wasted: wasted - countsBefore.wasted,
  });
}

process.on("message", async (command: Command) => {
  if (command.kind === "prepare") await prepare(command);
  else if (command.kind === "begin") {
    countsBefore = await count();
    cpuBefore = process.cpuUsage();
    send({ kind: "begun" });
  } else {
    await end();
    process.disconnect?.();
    process.exit(0);
  }
});
