// Runs before every command, on any Node from 20 on: installs the locked dependencies (and with
// them the Node that runs TypeScript natively) into node_modules if they are missing or older than
// package-lock.json. Prints only to standard error, so that `npm run --silent stile -- init --json`
// stays machine-readable. With `--pages`, what the service and the build of its pages need is
// enough; with `--production`, so is what `npm run install:production` left. Development tools are
// installed with the first command that needs them, but never into a production install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const stampFile = join(root, "node_modules", ".stile-bootstrap");
const stamp = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

const isProduction = process.argv.includes("--production");
const isPart = isProduction || process.argv.includes("--pages");
/** The acceptable kinds of install, by the last word of its stamp: a full one has none. */
const ENOUGH = [undefined, ...(isPart ? ["pages"] : []), ...(isProduction ? ["production"] : [])];
/**
 * What runs, and what is built for browsers; npm also installs the workspace packages that these
 * depend on.
 */
const RUNNING = ["server", "widget", "dashboard"];

const [installed, ...kinds] = existsSync(stampFile)
  ? readFileSync(stampFile, "utf8").split(" ")
  : [];

function isCurrent() {
  return installed === stamp && ENOUGH.includes(kinds.at(-1));
}

/**
 * The node that npm scripts will find first: the one from the lock file, else the one running now.
 */
function commandNodeVersion() {
  const suffix = process.platform === "win32" ? ".cmd" : "";
  const local = join(root, "node_modules", ".bin", `node${suffix}`);
  const run = spawnSync(existsSync(local) ? local : process.execPath, ["--version"], {
    encoding: "utf8",
  });
  return run.stdout?.trim() ?? "unknown";
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
  const [command, ...prefix] = npm ? [process.execPath, npm] : ["npm"];
  const parts = isPart ? RUNNING.flatMap((name) => ["--workspace", `@stile/${name}`]) : [];
  // Explicitly, since NODE_ENV=production, as many servers have it, would leave out what builds the
  // pages.
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
  const install = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (install.status !== 0) {
    process.stderr.write(
      "stile: npm ci failed. Check the network and the npm registry, then run the command again.\n",
    );
    process.exit(1);
  }
  const version = commandNodeVersion();
  if (Number(version.slice(1).split(".")[0]) < 24) {
    process.stderr.write(
      `stile: needs Node 24 or newer to run, found ${version}, and no packaged Node exists for ` +
        `${process.platform}-${process.arch}. Install Node 24 or newer and run the command again.\n`,
    );
    process.exit(1);
  }
  writeFileSync(stampFile, isPart ? `${stamp} pages` : stamp);
}

// The shell of "npm start" is replaced by the service through "exec"; the shell of Windows has no
// such command.
if (process.platform === "win32")
  writeFileSync(join(root, "node_modules", ".bin", "exec.cmd"), "@%*\r\n");
