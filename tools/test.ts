// `npm test`: installs the programs that the tests need, builds what is stale, runs the checks and
// then all tests, and prints `N passed, N failed` as its last line. `npm run check` (--quick) runs
// only the checks and the unit tests, which need no engine and no browser. Other arguments are
// fragments: `npm test -- redeem knip` runs the test files whose path, and the checks whose command,
// contains one of them.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buildStale } from "./build.ts";
import type { Counts } from "./count-tests.ts";
import { bringTestEngines } from "./test-engines.ts";
import { listTestFiles } from "./test-files.ts";

const root = join(import.meta.dirname, "..");
const args = process.argv.slice(2);
const isQuick = args.includes("--quick");
const fragments = args.filter((arg) => !arg.startsWith("--"));

const isAsked = (text: string): boolean =>
  fragments.length === 0 || fragments.some((fragment) => text.includes(fragment));

/** Format and lint, unused code, and the types of each project. */
const CHECKS = [
  "biome check --error-on-warnings",
  "knip --no-progress",
  ...globSync(["tsconfig.json", "packages/*/tsconfig.json"], { cwd: root }).map(
    (project) => `tsc -p ${project.replaceAll("\\", "/")}`,
  ),
];

/** Runs a check, which prints what it finds. */
function runCheck(check: string): Counts {
  console.log(`> ${check}`);
  const [command = "", ...options] = check.split(" ");
  const program = join(root, "node_modules", ".bin", command);
  const done = spawnSync(program, options, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return done.status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs test files by `node --test`, which prints the results. */
function runTests(files: readonly string[], ...options: readonly string[]): Counts {
  if (files.length === 0) return { passed: 0, failed: 0 };
  const folder = mkdtempSync(join(tmpdir(), "stile-counts-"));
  const countsFile = join(folder, "counts.json");
  writeFileSync(countsFile, "");
  const reporters = [
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./tools/count-tests.ts",
    `--test-reporter-destination=${countsFile}`,
  ];
  // More room for short-lived objects, as the service has.
  const fixed = ["--max-semi-space-size=16", "--test", "--test-timeout=600000"];
  const done = spawnSync(process.execPath, [...fixed, ...options, ...reporters, ...files], {
    cwd: root,
    stdio: "inherit",
  });
  const written = readFileSync(countsFile, "utf8");
  rmSync(folder, { recursive: true });
  // A run that crashes writes no counts.
  const { passed, failed } =
    written === "" ? { passed: 0, failed: 1 } : (JSON.parse(written) as Counts);
  return { passed, failed: done.status === 0 ? failed : Math.max(failed, 1) };
}

if (!isQuick) bringTestEngines();
await buildStale();
// The testkit reads this and starts the programs that were just built.
process.env.TESTED_PROGRAMS = "built";
// So no process compiles again what another one compiled.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");

const { unit, process: ownProcess } = listTestFiles(root);
// Two more than cores: a quarter of the time, a test waits for a timer, a disk or a connection.
const concurrency = `--test-concurrency=${availableParallelism() + 2}`;
const results = [
  ...CHECKS.filter(isAsked).map(runCheck),
  runTests(unit.filter(isAsked), "--test-isolation=none"),
  isQuick ? { passed: 0, failed: 0 } : runTests(ownProcess.filter(isAsked), concurrency),
];

const passed = results.reduce((sum, counts) => sum + counts.passed, 0);
const failed = results.reduce((sum, counts) => sum + counts.failed, 0);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
