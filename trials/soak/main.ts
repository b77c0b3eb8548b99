// `npm run trial -- soak --minutes N [--json]`: mixed load of 200,000 visitors on a service of its
// own; reports whether its memory, its descriptors or the delays of its event loop grow, and
// whether any answer was wrong.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { newMember, newSession } from "@stile/testkit/contract/dashboard";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import type { Figure } from "@stile/testkit/trials/trial";
import { buildPages } from "../../tools/build.ts";
import { readOptions, refuseCall } from "../../tools/read-options.ts";
import { withFolder } from "../accidents/scene.ts";
import { countBroken, toJson, toText } from "../report.ts";
import type { InsideReport } from "./inside-report.ts";
import { createSoakLoad, type SoakAnswers } from "./load.ts";
import type { SoakTarget } from "./requests.ts";
import { readInside, riseAnHour, type Sample, takeSample, withoutWarmUp } from "./samples.ts";
import { medianOf } from "./slope.ts";

const HELP = `Usage: npm run trial -- soak [--minutes N] [--json]

  --minutes  How long to measure, after every visitor was seen once (30; at least 5)
  --json     Print { soak, broken } instead of the table

The exit code is 1 if a bound is broken. Runs on Linux.
`;
const LEAST_MINUTES = 5;
const REPORTS = { service: "service.json", idle: "idle.json" } as const;
const SAMPLE_MS = 5000;
const MB = 2 ** 20;
const MAIN = join(import.meta.dirname, "..", "..", "packages", "server", "main.ts");
const INSIDE = join(import.meta.dirname, "inside.ts");

const say = (text: string): void => void process.stderr.write(`soak: ${text}\n`);

function readArguments(): { minutes: number; isJson: boolean } {
  const command = { name: "soak", help: HELP };
  const values = readOptions(command, {
    minutes: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  });
  const minutes = Number(values.minutes);
  if (!Number.isInteger(minutes) || minutes < LEAST_MINUTES)
    refuseCall(command, `--minutes must be a whole number from ${LEAST_MINUTES} on.`);
  return { minutes, isJson: values.json };
}

/** Does the work next to an idle process: delays of its event loop are those of the machine. */
async function besideIdle<Result>(
  reportFile: string,
  use: (pid: number) => Promise<Result>,
): Promise<Result> {
  const nothing = "setInterval(() => {}, 60_000)";
  const env = { ...process.env, SOAK_REPORT: reportFile };
  const idle = spawn(process.execPath, ["--import", INSIDE, "-e", nothing], {
    env,
    stdio: "ignore",
  });
  const ended = once(idle, "exit");
  try {
    return await use(idle.pid ?? 0);
  } finally {
    idle.kill("SIGKILL");
    await ended;
  }
}

/** The Cookie header of a member who may see the site, made alongside the service. */
async function openSession({ baseUrl, dataDirectory }: RunningService): Promise<string> {
  const databaseFile = join(dataDirectory, "stile.sqlite");
  const store = await openSqliteStore({ file: databaseFile });
  const [account] = await store.sites.listAccounts();
  if (account === undefined) throw new Error("the service made no account");
  const fixture = {
    name: "soak",
    baseUrl,
    ports: await openOperatorPorts(store),
    store,
    databaseFile,
    stop: store.close,
  };
  const { cookie } = await newSession(
    fixture,
    await newMember(fixture, account.accountId, "owner"),
  );
  await store.close();
  return cookie;
}

function toFigures(samples: readonly Sample[], idle: InsideReport, answers: SoakAnswers): Figure[] {
  const steady = withoutWarmUp(samples);
  const rss = riseAnHour(steady, ({ rssBytes }) => rssBytes / MB);
  const live = riseAnHour(steady, ({ inside }) => inside.liveBytes / MB);
  const half = Math.floor(steady.length / 2);
  const descriptors = steady.map((sample) => sample.descriptors);
  const last = samples.at(-1);
  const perHour = "MB/h";
  return [
    {
      name: "resident memory, rise",
      value: rss.perUnit,
      unit: perHour,
      bound: { kind: "at_most", value: 1 },
    },
    { name: "its standard error", value: rss.standardError, unit: perHour },
    { name: "resident memory at the end", value: (last?.rssBytes ?? 0) / MB, unit: "MB" },
    { name: "memory in use after a full collection, rise", value: live.perUnit, unit: perHour },
    { name: "its standard error", value: live.standardError, unit: perHour },
    {
      name: `descriptors more in the second half than in the first (${medianOf(descriptors)} are open)`,
      value: medianOf(descriptors.slice(half)) - medianOf(descriptors.slice(0, half)),
      unit: "",
      bound: { kind: "at_most", value: 2 },
    },
    {
      name: "delay of the event loop p99",
      value: last?.inside.p99Ms ?? Number.NaN,
      unit: "ms",
      bound: { kind: "at_most", value: 50 },
    },
    {
      name: "the same of a process that does nothing, at the same time",
      value: idle.p99Ms,
      unit: "ms",
    },
    {
      name: "delay of the event loop at worst",
      value: last?.inside.maxMs ?? Number.NaN,
      unit: "ms",
    },
    ...[...answers.byStatus].map(([status, value]) => ({
      name: `answers ${status}`,
      value,
      unit: "",
    })),
    {
      name: "answers that were not due",
      value: answers.surprises.length,
      unit: "",
      bound: { kind: "at_most", value: 0 },
    },
  ];
}

async function measure(
  target: SoakTarget,
  folder: string,
  minutes: number,
  idlePid: number,
): Promise<Figure[]> {
  const [reportFile, idleFile] = [join(folder, REPORTS.service), join(folder, REPORTS.idle)];
  const load = createSoakLoad(target);
  const pid = target.service.pid();
  const startedAt = performance.now();
  await load.fill((visitors) =>
    say(`${visitors} visitors seen, ${Math.round((performance.now() - startedAt) / 1000)} s`),
  );
  for (const watched of [pid, idlePid]) process.kill(watched, "SIGUSR2");
  const samples: Sample[] = [];
  const beganAt = performance.now();
  const untilMs = minutes * 60_000;
  const running = load.run(() => performance.now() - beganAt >= untilMs);
  while (performance.now() - beganAt < untilMs) {
    await sleep(SAMPLE_MS);
    const sample = takeSample(pid, reportFile, performance.now() - beganAt);
    samples.push(sample);
    if (samples.length % (60_000 / SAMPLE_MS) !== 0) continue;
    const { rssBytes, descriptors, inside } = sample;
    const memory = `${(rssBytes / MB).toFixed(1)} MB resident, ${(inside.liveBytes / MB).toFixed(1)} MB in use`;
    const told = `${memory}, ${descriptors} descriptors, event loop p99 ${inside.p99Ms.toFixed(1)} ms`;
    say(
      `minute ${Math.round(sample.atMs / 60_000)}: ${told}, ${load.answers.surprises.length} answers not due`,
    );
  }
  await running;
  load.close();
  for (const surprise of load.answers.surprises.slice(0, 10)) say(`not due: ${surprise}`);
  return toFigures(samples, readInside(idleFile), load.answers);
}

const { minutes, isJson } = readArguments();
await buildPages();
const figures = await withFolder(async (folder) => {
  const environment = {
    SOAK_REPORT: join(folder, REPORTS.service),
    STILE_DATA_DIR: join(folder, "data"),
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_LOG_LEVEL: "error",
    STILE_LIMIT_VERIFY: "10000000",
    STILE_LIMIT_CHALLENGE_TOTAL: "10000000",
  };
  const service = await startService(environment, ["--expose-gc", "--import", INSIDE, MAIN]);
  try {
    const cryptography = await openServiceCryptography(service.dataDirectory);
    const target = { service, cryptography, cookie: await openSession(service) };
    return await besideIdle(join(folder, REPORTS.idle), (pid) =>
      measure(target, folder, minutes, pid),
    );
  } finally {
    await service.dispose();
  }
});
const results = [
  { name: "soak", tries: `${minutes} minutes of mixed load by 200,000 visitors`, figures },
];
process.stdout.write(isJson ? toJson("soak", results) : toText(results));
process.exitCode = countBroken(results) === 0 ? 0 : 1;
