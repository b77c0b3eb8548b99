// `npm test`: installs what the tests need, then runs every test and prints `N passed, N failed`
// last. `npm run check` (--quick): only format, lint, types, layers and unit tests; it needs no
// engine and no browser. Further arguments are path fragments: `npm test -- redeem` runs the test
// files whose path contains one of them.
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { buildStale } from "./build.ts";
import { bringTestEngines } from "./test-engines.ts";
import { listTestFiles } from "./test-files.ts";
import { makeTestFolder } from "./test-folder.ts";
import { planJobs, TEST_OPTIONS, writeEntry } from "./test-plan.ts";

const root = join(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache");
const args = process.argv.slice(2);
const isQuick = args.includes("--quick");
const fragments = args.filter((arg) => !arg.startsWith("--"));

const isAsked = (path: string): boolean =>
  fragments.length === 0 || fragments.some((fragment) => path.includes(fragment));

const jobs = planJobs(listTestFiles(root, isQuick).filter(({ path }) => isAsked(path)));
const files = jobs.map((job) => writeEntry(root, join(cache, "tests"), job));

if (!isQuick) bringTestEngines();
await buildStale();
// Read by the testkit, which starts what was just built.
process.env.TESTED_PROGRAMS = "built";

// A test or service process need not compile again what another one compiled.
process.env.NODE_COMPILE_CACHE ??= join(cache, "compiled");

// An explicit choice of the folder for temporary files is respected.
const folder = process.env.TMPDIR === undefined ? makeTestFolder() : undefined;
if (folder !== undefined) process.env.TMPDIR = folder;

const counts = { passed: 0, failed: 0 };
// Two more than cores: a quarter of the time a test waits for a timer, a disk or the other end of a
// connection.
const concurrency = availableParallelism() + 2;
const stream = run({ files, cwd: root, concurrency, timeout: 600_000, execArgv: TEST_OPTIONS });
stream.on("test:summary", (summary) => {
  // There is one summary per file and one for all; only the last has no file.
  if (summary.file !== undefined) return;
  counts.passed = summary.counts.passed;
  counts.failed =
    summary.counts.tests - summary.counts.passed - summary.counts.skipped - summary.counts.todo;
});
stream.compose(new spec()).pipe(process.stdout);
stream.on("end", () => {
  process.once("beforeExit", () => {
    const hasFailed = counts.failed > 0 || counts.passed === 0;
    process.exitCode = hasFailed ? 1 : 0;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
  });
});
