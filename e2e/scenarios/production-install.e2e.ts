import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findFreePort } from "@stile/testkit/service/service";

const root = join(import.meta.dirname, "..", "..");
const copy = mkdtempSync(join(tmpdir(), "stile-production-"));
after(() => rmSync(copy, { recursive: true, force: true }));

/** Everything but the history and what services leave behind. */
const isPart = (path: string): boolean => !/\/(\.git|stile-data|\.cache|node_modules|dist)$/.test(path);

function npm(...args: string[]) {
  return spawnSync("npm", args, {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", npm_config_prefer_offline: "true" },
  });
}

/** Starts it as a process manager would, asks for what browsers load, and stops it. */
async function statusesOf(paths: readonly string[]): Promise<number[]> {
  const port = await findFreePort();
  const environment = { STILE_PORT: String(port), STILE_DATA_DIR: join(copy, "data") };
  const service = spawn(process.execPath, ["tools/start.ts"], {
    cwd: copy,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const text of service.stdout.setEncoding("utf8")) if (text.includes("Stile listens on")) break;
    return await Promise.all(paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status));
  } finally {
    const gone = once(service, "exit");
    service.kill("SIGTERM");
    await gone;
  }
}

const DEVELOPMENT = ["typescript", "playwright-core", "@biomejs/biome", "fast-check", "knip"];

const installed = (name: string): boolean => existsSync(join(copy, "node_modules", name));

test("an install for production runs without a single tool of development, and says what to do when it can't build", async () => {
  cpSync(root, copy, { recursive: true, filter: isPart, verbatimSymlinks: true });
  // As before the first start: what runs, and what builds the pages.
  const started = npm("run", "prestart");
  assert.equal(started.status, 0, started.stderr);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), ["vite"]);
  const reduced = npm("run", "install:production");
  assert.equal(reduced.status, 0, reduced.stderr);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), []);
  const doctor = npm("run", "--silent", "stile", "--", "doctor");
  assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr);
  assert.deepEqual(await statusesOf(["/stile.js", "/dashboard", "/demo", "/healthz"]), [200, 200, 200, 200]);
  assert.equal(npm("run", "presolve").status, 0, "a client to try it with comes without tools of development");
  // A service may be running from these very files, so a command that needs more brings nothing and removes nothing.
  const refused = npm("run", "precheck");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^stile: this command needs development tools, .* another checkout/m);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), []);
  rmSync(join(copy, "packages", "widget", "dist", ".stamp"));
  const stale = npm("start");
  assert.equal(stale.status, 1);
  assert.match(stale.stderr, /Run: npm run install:production/);
  assert.doesNotMatch(stale.stderr, /\n {4}at /, "no stack trace");
  const again = npm("run", "install:production");
  assert.equal(again.status, 0, again.stderr);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), []);
  assert.deepEqual(await statusesOf(["/stile.js"]), [200]);
});
