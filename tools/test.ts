// `npm test`: installs the programs that the tests need, builds what is stale, runs the checks and
// then all tests, and prints `N passed, N failed` as its last line. `npm run check` (--quick) runs
// only the checks and the unit tests, which need no engine and no browser. Other arguments are
// fragments: `npm test -- redeem knip` runs the test files whose path, and the checks whose command,
// contains one of them.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buildStale } from "./build.ts";
import type { Counts } from "./count-tests.ts";
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
  ...globSync(["tsconfig.json", "packages/*/tsconfig.json", "sdk/{node,testing}/tsconfig.json"], {
    cwd: root,
  }).map((project) => `tsc -p ${project.replaceAll("\\", "/")}`),
];

const NONE: Counts = { passed: 0, failed: 0 };

const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
});

/** Runs the checks one after another, and returns their output. */
async function runChecks(checks: readonly string[]): Promise<Counts & { readonly found: string }> {
  const outcome = { ...NONE, found: "" };
  for (const check of checks) {
    const [command = "", ...options] = check.split(" ");
    const program = join(root, "node_modules", ".bin", command);
    const settings = { cwd: root, shell: process.platform === "win32" };
    await new Promise<void>((resolve) => {
      execFile(program, options, settings, (error, stdout, stderr) => {
        outcome[error === null ? "passed" : "failed"] += 1;
        outcome.found += `> ${check}\n${stdout}${stderr}`;
        resolve();
      });
    });
  }
  return outcome;
}

/** Runs test files by `node --test`, which prints the results. */
async function runTests(files: readonly string[], ...options: readonly string[]): Promise<Counts> {
  if (files.length === 0) return NONE;
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
  const runner = spawn(process.execPath, [...fixed, ...options, ...reporters, ...files], {
    cwd: root,
    stdio: "inherit",
  });
  const [status] = await once(runner, "exit");
  const written = readFileSync(countsFile, "utf8");
  rmSync(folder, { recursive: true });
  // A run that crashes writes no counts.
  const counts: Counts = written === "" ? NONE : JSON.parse(written);
  return status === 0 ? counts : { ...counts, failed: Math.max(counts.failed, 1) };
}

/** Installs missing engines; ends this process if it can't. */
async function bringEngines(): Promise<void> {
  const installer = spawn(process.execPath, ["tools/test-engines.ts"], {
    cwd: root,
    stdio: "inherit",
  });
  const [status] = await once(installer, "exit");
  if (status !== 0) process.exit(1);
}

// The checks and the unit tests need no engine, so they run meanwhile.
const engines = isQuick ? undefined : bringEngines();
await buildStale();
// The testkit reads this and starts the programs that were just built.
process.env.TESTED_PROGRAMS = "built";
// So no process compiles code that another one compiled.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");

const { unit, process: ownProcess } = listTestFiles(root);
// The unit tests use one core, and the checks the others.
const [checks, units] = await Promise.all([
  runChecks(CHECKS.filter(isAsked)),
  runTests(unit.filter(isAsked), "--test-isolation=none"),
]);
process.stdout.write(checks.found);
await engines;
// Two more than cores: for a quarter of the time, a test waits for a timer, a disk or a connection.
const concurrency = `--test-concurrency=${availableParallelism() + 2}`;
const others = isQuick ? NONE : await runTests(ownProcess.filter(isAsked), concurrency);

const { passed, failed } = [checks, units, others].reduce(addCounts);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
