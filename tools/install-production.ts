// `npm run install:production`: builds the scripts for browsers, then removes everything that only
// development and tests need.
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { buildStale } from "./build.ts";
import { readOptions } from "./read-options.ts";

const HELP = `Usage: npm run install:production

Builds what the service and browsers load, then removes all that only development and tests need.
`;
readOptions({ name: "install:production", help: HELP }, {});

const root = join(import.meta.dirname, "..");

await buildStale();
process.stderr.write("stile: removing development tools ...\n");
const npm = process.env.npm_execpath;
const [command, ...prefix] = npm === undefined ? ["npm"] : [process.execPath, npm];
const args = [
  "prune",
  "--omit=dev",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];
const pruned = spawnSync(command ?? "npm", [...prefix, ...args], {
  cwd: root,
  stdio: ["ignore", 2, 2],
});
if (pruned.status !== 0) {
  process.stderr.write(
    "stile: npm prune failed; see above. Nothing that the service needs was removed.\n",
  );
  process.exit(1);
}
appendFileSync(join(root, "node_modules", ".stile-bootstrap"), " production");
process.stderr.write("stile: ready. Start the service with: npm start\n");
