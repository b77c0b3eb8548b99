import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A test file: its path from the root of the repository, with forward slashes, and its text. */
export type TestFile = { readonly path: string; readonly text: string };

/** Test files that one process runs, one after the other. */
export type TestJob = { readonly name: string; readonly paths: readonly string[] };

/**
 * What needs a process of its own: hooks, which would hold for all files of the process; processes and services; and
 * what looks at its process, or at the time that it takes. A process costs 0.15 s of a core before its first test.
 */
const NEEDS_OWN_PROCESS = [
  /\b(before|after|beforeEach|afterEach|mock)\b[^;]*from "node:test"/,
  /from "node:(child_process|worker_threads)"/,
  /from "@stile\/testkit\/(service|contract|browser)\//,
  /\bprocess\.(env|on|once|exit|chdir|umask|memoryUsage|cpuUsage)\b|\bperformance\.now\b|\bglobalThis\b/,
];

/** The jobs that take longest, longest first: what begins last has to be short, or one core waits for the other. */
export const LONGEST: readonly string[] = [
  "e2e/scenarios/dashboard-keyboard.e2e.ts",
  "e2e/scenarios/dashboard-accessibility.e2e.ts",
  "e2e/scenarios/dashboard-xss.e2e.ts",
  "e2e/scenarios/dashboard-journeys.e2e.ts",
  "e2e/scenarios/hostile-bodies.e2e.ts",
  "e2e/scenarios/single-use.e2e.ts",
  "e2e/scenarios/puzzle.e2e.ts",
  "e2e/scenarios/broken-files.e2e.ts",
  "e2e/scenarios/widget.e2e.ts",
  "packages/stores",
  "e2e/scenarios/command-line.e2e.ts",
  "e2e/scenarios/restarts.e2e.ts",
  "packages/core",
  "packages/pow",
  "simulation",
  "tools/checks.test.ts",
  "tools/types.test.ts",
  "packages/server/http/v1/score-oracle.contract.test.ts",
  "packages/server/cli/reset-link.test.ts",
];

/** The group in which a file shares its process, its package or top folder; its own path where it needs one alone. */
function groupOf({ path, text }: TestFile): string {
  if (NEEDS_OWN_PROCESS.some((pattern) => pattern.test(text))) return path;
  return /^(packages\/)?[^/]+/.exec(path)?.[0] ?? path;
}

function rankOf({ name }: TestJob): number {
  const rank = LONGEST.indexOf(name);
  return rank === -1 ? LONGEST.length : rank;
}

/** Divides the files among processes, longest first. */
export function planJobs(files: readonly TestFile[]): readonly TestJob[] {
  const groups = Map.groupBy(files, groupOf);
  const jobs = [...groups].map(([name, members]) => ({ name, paths: members.map(({ path }) => path) }));
  return jobs.sort((a, b) => rankOf(a) - rankOf(b));
}

/** Answers the file that runs a job; for a job of several it writes one into the folder, which imports them. */
export function writeEntry(root: string, folder: string, { name, paths }: TestJob): string {
  const [only] = paths;
  if (only !== undefined && paths.length === 1) return join(root, only);
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, `${name.replaceAll("/", "-")}.mjs`);
  const imports = paths.map((path) => `import ${JSON.stringify(pathToFileURL(join(root, path)).href)};\n`);
  writeFileSync(entry, imports.join(""));
  return entry;
}
