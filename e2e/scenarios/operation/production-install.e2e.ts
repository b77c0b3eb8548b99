import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";

const root = join(import.meta.dirname, "..", "..", "..");
const copy = mkdtempSync(join(tmpdir(), "stile-production-"));
after(() => rmSync(copy, { recursive: true, force: true }));

/** Everything except the git history, the data of services, and installed or built files. */
const isPart = (path: string): boolean =>
  !/\/(\.git|stile-data|\.cache|node_modules|dist)$/.test(path);

function npm(...args: string[]) {
  return spawnSync("npm", args, {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", npm_config_prefer_offline: "true" },
  });
}

/**
 * Starts the service as a process manager would, requests the files that browsers load, and stops
 * it.
 */
async function statusesOf(paths: readonly string[]): Promise<number[]> {
  const port = await findFreePort();
  const environment = { STILE_PORT: String(port), STILE_DATA_DIR: join(copy, "data") };
  const service = spawn(process.execPath, ["tools/start.ts"], {
    cwd: copy,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const text of service.stdout.setEncoding("utf8"))
      if (text.includes("Stile listens on")) break;
    return await Promise.all(
      paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status),
    );
  } finally {
    const gone = once(service, "exit");
    service.kill("SIGTERM");
    await gone;
  }
}

const DEVELOPMENT = ["typescript", "playwright-core", "@biomejs/biome", "fast-check", "knip"];

/** Changes the version, since a pull usually brings another package-lock.json. */
function changeVersion(): void {
  for (const file of ["package.json", "package-lock.json"]) {
    const text = readFileSync(join(copy, file), "utf8");
    // The first match is the project's own version; the lock file has it twice.
    const changed = text
      .replace(/("version": )"[^"]*"/, '$1"99.0.0"')
      .replace(/("": \{\s+"name": "stile",\s+"version": )"[^"]*"/, '$1"99.0.0"');
    writeFileSync(join(copy, file), changed);
  }
}

const installed = (name: string): boolean => existsSync(join(copy, "node_modules", name));

test("an install for production runs without any development tool, and says what to do if it cannot build", async () => {
  cpSync(root, copy, { recursive: true, filter: isPart, verbatimSymlinks: true });
  // As before the first start: the runtime packages and the packages that build the pages are
  // there.
  const started = npm("run", "--silent", "solve", "--", "--help");
  assert.equal(started.status, 0, started.stderr);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), ["vite"]);
  const reduced = npm("run", "install:production");
  assert.equal(reduced.status, 0, reduced.stderr);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), []);
  const doctor = npm("run", "--silent", "stile", "--", "doctor");
  assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr);
  assert.deepEqual(
    await statusesOf(["/stile.js", "/dashboard", "/demo", "/healthz"]),
    [200, 200, 200, 200],
  );
  const solve = npm("run", "--silent", "solve", "--", "--help");
  assert.equal(
    solve.status,
    0,
    `a client to try it with comes without tools of development:\n${solve.stderr}`,
  );
  assert.match(solve.stdout, /^Usage: npm run solve/);
  // A service may be running from these files, so a command that needs more neither installs nor
  // removes anything.
  const refused = npm("run", "check");
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^stile: this command needs development tools, .* another checkout/m,
  );
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), []);
  rmSync(join(copy, "packages", "widget", "dist", ".stamp"));
  const stale = npm("start");
  assert.equal(stale.status, 1);
  assert.match(stale.stderr, /Run: npm run install:production/);
  assert.doesNotMatch(stale.stderr, /\n {4}at /, "no stack trace");
  // As between a pull and the next install: the service continues with the installed packages.
  changeVersion();
  const changedMs = (): number =>
    statSync(join(copy, "node_modules", "zod", "package.json")).ctimeMs;
  const beforeMs = changedMs();
  for (const script of ["stile", "start", "solve"]) {
    const outdated = npm("run", script);
    assert.equal(outdated.status, 1, script);
    assert.match(
      outdated.stderr,
      /^stile: package-lock\.json has changed .* Run: npm run install:production, then restart/m,
    );
  }
  assert.equal(changedMs(), beforeMs, "nothing was replaced");
  const again = npm("run", "install:production");
  assert.equal(again.status, 0, again.stderr);
  assert.deepEqual(["vite", ...DEVELOPMENT].filter(installed), []);
  assert.deepEqual(await statusesOf(["/stile.js"]), [200]);
});
