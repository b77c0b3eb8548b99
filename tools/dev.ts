// `npm run dev`: the service with a throw-away store, the demo site and a seeded dashboard; starts again when a source changes.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildStale } from "./build.ts";

const root = join(import.meta.dirname, "..");
const dataDirectory = mkdtempSync(join(tmpdir(), "stile-dev-"));
/** Editors write a file in several steps; a change counts once they are over. */
const SETTLE_MS = 150;

let child: ChildProcess | undefined;
let isStopping = false;

const environment = { STILE_DEMO: "on", ...process.env, STILE_DATA_DIR: dataDirectory };

function start(): void {
  child = spawn(process.execPath, [join(root, "packages/server/main.ts")], { stdio: "inherit", env: environment });
}

async function stop(): Promise<void> {
  const running = child;
  child = undefined;
  if (running === undefined || running.exitCode !== null) return;
  const gone = new Promise((resolve) => running.once("exit", resolve));
  running.kill("SIGTERM");
  await gone;
}

async function restart(): Promise<void> {
  try {
    await buildStale();
  } catch (error) {
    process.stderr.write(`dev: the build failed; the former one keeps running.\n${(error as Error).message}\n`);
    return;
  }
  await stop();
  if (!isStopping) start();
}

/** Made-up sites and traffic, so that every page of the dashboard has something to show. */
function seed(): void {
  const command = [join(root, "packages/server/cli/main.ts"), "seed", "--demo"];
  spawnSync(process.execPath, command, { stdio: "inherit", env: environment });
}

await buildStale();
seed();
start();
let timer: NodeJS.Timeout | undefined;
watch(join(root, "packages"), { recursive: true }, (_event, file) => {
  if (file === null || /(^|\/)(dist|node_modules)\/|\.test\.ts$/.test(file)) return;
  clearTimeout(timer);
  timer = setTimeout(() => void restart(), SETTLE_MS);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, async () => {
    isStopping = true;
    await stop();
    rmSync(dataDirectory, { recursive: true, force: true });
    process.exit(0);
  });
}
