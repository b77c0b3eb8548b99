// `npm run dev`: the service with a throw-away store, the demo site and a dashboard with seeded
// data. A changed source restarts it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onStopRequest } from "@stile/server/lifecycle/stop-requests";
import { buildPages } from "./build.ts";
import { readOptions } from "./read-options.ts";

const HELP = `Usage: npm run dev

Runs the service on a throw-away store, with the demo page and a filled dashboard, and again when a source changes.
Settings come from the environment, as those of npm start do.
`;
readOptions({ name: "dev", help: HELP }, {});

const root = join(import.meta.dirname, "..");
const dataDirectory = mkdtempSync(join(tmpdir(), "stile-dev-"));
/** Editors write a file in several steps; a change counts once they are done, ms. */
const SETTLE_MS = 150;

/** The present service. */
let child: ChildProcess | undefined;
let isStopping = false;
let isFilled = false;

const environment = { STILE_DEMO: "on", ...process.env, STILE_DATA_DIR: dataDirectory };

/**
 * Generates synthetic sites and traffic, so that every page of the dashboard has something to show.
 */
async function fill(): Promise<void> {
  if (isFilled) return;
  isFilled = true;
  try {
    // These sources may be broken, like those of the service.
    const { seed } = await import("@stile/demo/seed/seed");
    const { readConfig } = await import("@stile/server/config/config");
    const reading = readConfig(environment);
    if (reading.kind === "config") await seed(reading.config);
  } catch (error) {
    process.stderr.write(`dev: the dashboard could not be filled.\n${(error as Error).message}\n`);
  }
}

/**
 * Starts the service. The dashboard fills up while the first one already listens, so that nobody
 * waits for it.
 */
function run(): void {
  child = spawn(process.execPath, [join(root, "packages/server/main.ts")], {
    stdio: ["inherit", "pipe", "inherit"],
    env: environment,
  });
  child.stdout?.pipe(process.stdout, { end: false });
  // It prints a greeting once it listens.
  child.stdout?.once("data", fill);
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** Asks the child to end, and waits until it has. */
async function endChild(): Promise<void> {
  if (child === undefined || !isRunning(child)) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

async function restart(): Promise<void> {
  try {
    await buildPages();
  } catch (error) {
    process.stderr.write(
      `dev: the build failed; the former one keeps running.\n${(error as Error).message}\n`,
    );
    return;
  }
  await endChild();
  if (!isStopping) run();
}

onStopRequest(async () => {
  isStopping = true;
  await endChild();
  rmSync(dataDirectory, { recursive: true, force: true });
  process.exit(0);
});
await buildPages();
if (!isStopping) run();
let timer: NodeJS.Timeout | undefined;
let restarts = Promise.resolve();
watch(join(root, "packages"), { recursive: true }, (_event, file) => {
  if (file === null || /(^|\/)(dist|node_modules)\/|\.test\.ts$/.test(file)) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    restarts = restarts.then(restart);
  }, SETTLE_MS);
});
