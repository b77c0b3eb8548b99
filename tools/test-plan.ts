import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A test file: its path from the root of the repository, with forward slashes, and its text. */
export type TestFile = { readonly path: string; readonly text: string };

/** Test files that one process runs, one after another. */
export type TestJob = { readonly name: string; readonly paths: readonly string[] };

/**
 * Node's options for each test process: what it loads first, and more room for short-lived objects,
 * as the service has.
 */
export const TEST_OPTIONS: readonly string[] = [
  "--max-semi-space-size=16",
  `--import=${pathToFileURL(join(import.meta.dirname, "track-no-promises.ts")).href}`,
];

/**
 * Files that need their own process: those with hooks around each test, which would apply to all
 * files of the process; scenarios; and those that inspect their process, change its engine, or
 * measure time. A process costs 0.15 s of a core before its first test, one with the service in it
 * 0.9 s. Files with `before` and `after` may share one: all of these begin before the first test
 * and end after the last.
 */
const NEEDS_OWN_PROCESS = [
  /\b(beforeEach|afterEach|mock)\b[^;]*from "node:test"/,
  /from "node:(child_process|worker_threads|v8)"/,
  /from "@stile\/testkit\/browser\//,
  // These have an engine of their own, which takes a second to create.
  /from "(@stile\/testkit\/postgres\/|\.{1,2}\/(?:\w+\/)?temporary-postgres)/,
  /\bprocess\.(env|on|once|exit|chdir|umask|memoryUsage|cpuUsage)\b|\bperformance\.now\b|\bglobalThis\b/,
];

/**
 * Scenarios that share a process, by the name of their job: loading the driver and starting a
 * browser takes 0.8 s of a core. None of them inspects its own process. All services of a job begin
 * with it.
 */
export const SHARED_SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "e2e/scenarios/looked-at": [
    ...[
      "no-script/languages",
      "dashboard/request-ids",
      "widget/accessibility",
      "widget/sizes",
      "widget/themes",
    ],
    ...["no-script/visits", "pages/one-window"],
  ],
  "e2e/scenarios/visited": [
    ...[
      "visitor/asked-people",
      "visitor/changing-address",
      "widget/scripts",
      "pages/foreign-code",
      "no-script/wait",
      "widget/looks",
    ],
  ],
  "e2e/scenarios/in-forms": [
    ...[
      "widget/odd-forms",
      "widget/options",
      "pages/rendering",
      "widget/renewal",
      "widget/waiting",
    ],
  ],
  "e2e/scenarios/sent-forms": [
    "widget/forms",
    "pages/serializers",
    "pages/moved",
    "pages/real-pages",
  ],
  "e2e/scenarios/on-pages": [
    "widget/errors",
    "widget/languages",
    "pages/life",
    "pages/policies",
    "pages/surface",
  ],
  "e2e/scenarios/operated": ["dashboard/keyboard", "dashboard/journeys"],
  "e2e/scenarios/automated": [
    "dashboard/attacks",
    "dashboard/sessions",
    "dashboard/stale-figures",
    "widget/contact",
  ],
};

const SHARED_PLACES = new Map<string, string>(
  Object.entries(SHARED_SCENARIOS).flatMap(([job, names]) =>
    names.map((name) => [`e2e/scenarios/${name}.e2e.ts`, job] as const),
  ),
);

/**
 * The longest jobs, in the order in which they begin: those that mostly wait and those that mostly
 * compute in turn, the longest of each first. So both cores are busy, and the last to begin are
 * short, or one core would wait for the other.
 */
export const LONGEST: readonly string[] = [
  "e2e/scenarios/in-forms",
  "e2e/scenarios/sent-forms",
  "e2e/scenarios/operated",
  "e2e/scenarios/visited",
  "packages/server",
  "e2e/scenarios/challenge/puzzle.e2e.ts",
  "e2e/scenarios/http/hostile-bodies.e2e.ts",
  "e2e/scenarios/on-pages",
  "e2e/scenarios/nodes/two-nodes.e2e.ts",
  "e2e/scenarios/automated",
  "packages/server/cli/shared-backup.test.ts",
  "packages/server/http/v1",
  "e2e/scenarios/dashboard/accessibility.e2e.ts",
  "e2e/scenarios/dashboard/layout.e2e.ts",
  "e2e/scenarios/widget/playground.e2e.ts",
  "packages/stores/move/move-beside-service.test.ts",
  "e2e/scenarios/widget/trouble.e2e.ts",
  "e2e/scenarios/operation/production-install.e2e.ts",
  "e2e/scenarios/looked-at",
  "e2e/scenarios/dashboard/xss.e2e.ts",
  "e2e/scenarios/token/single-use.e2e.ts",
  "trials/bench",
  "packages/server/http/dashboard",
  "packages/server/lifecycle/stop-beside-silence.test.ts",
  "e2e/scenarios/engines/firefox.e2e.ts",
  "packages/stores/contract/postgres/postgres-outage.test.ts",
  "e2e/scenarios/data/broken-files.e2e.ts",
  "e2e/scenarios/visitor/people.e2e.ts",
  "e2e/scenarios/operation/samples.e2e.ts",
  "e2e/scenarios/operation/npm-dev.e2e.ts",
  "packages/stores/contract/postgres/postgres-failover.test.ts",
  "e2e/scenarios/widget/visit.e2e.ts",
  "e2e/scenarios/operation/command-line.e2e.ts",
  "packages/server/compose/restored-database.test.ts",
  "e2e/scenarios/token/single-use-postgres.e2e.ts",
  "packages/stores/contract/postgres/postgres-store.contract.test.ts",
  "packages/stores/move/move-to-postgres.test.ts",
  "packages/stores/contract/postgres/postgres-spending.property.test.ts",
  "e2e/scenarios/operation/restarts.e2e.ts",
  "packages/stores",
  "e2e/scenarios/engines/webkit.e2e.ts",
  "trials/simulation",
  "e2e/scenarios/token/restored-copies.e2e.ts",
  "e2e/scenarios/nodes/torture-command.e2e.ts",
  "e2e/scenarios/data/two-versions.e2e.ts",
  "e2e/scenarios/http/hostile-http.e2e.ts",
  "packages/core",
  "e2e/scenarios/operation/npm-start.e2e.ts",
  "packages/risk",
  "packages/pow",
  "e2e/scenarios/dashboard/sign-in.e2e.ts",
  "packages/server/http/no-script/no-script.refusals.contract.test.ts",
  "e2e/scenarios/operation/start-and-stop.e2e.ts",
  "tools",
  "packages/widget",
  "packages/stores/contract/postgres/postgres-lost-marks.test.ts",
  "e2e/scenarios/data/full-disks.e2e.ts",
  "e2e/scenarios/statistics/after-a-kill.e2e.ts",
  "packages/server/cli/restore.test.ts",
  "packages/server/cli/doctor.test.ts",
  "e2e/scenarios/challenge/solve.e2e.ts",
  "trials/risk/evaluation/evaluate.test.ts",
  "e2e/scenarios/operation/handed-socket.e2e.ts",
  "packages/server/compose/shared-database.test.ts",
  "packages/stores/process/waves/wave-memory.test.ts",
  "packages/stores/sqlite/threaded-store.test.ts",
  "packages/server/http/no-script/no-script.contract.test.ts",
  "packages/server/cli/reset-link.test.ts",
  "e2e/scenarios/http/reverse-proxies.e2e.ts",
  "packages/server/http/v1/store-faults.contract.test.ts",
  "e2e/scenarios/token/forgery.e2e.ts",
  "packages/stores/contract/postgres/postgres-upgrade-beside.test.ts",
];

/** A folder whose tests share a process: a package, a trial, a top folder, or one of the server's faces. */
const SHARED_FOLDER =
  /^packages\/server\/http\/(?:dashboard|no-script|v1)(?=\/)|^((packages|trials)\/)?[^/]+/;

/** The group in which a file shares its process; its own path if it needs one alone. */
function groupOf({ path, text }: TestFile): string {
  const shared = SHARED_PLACES.get(path);
  if (shared !== undefined) return shared;
  const isAlone =
    path.startsWith("e2e/") || NEEDS_OWN_PROCESS.some((pattern) => pattern.test(text));
  return isAlone ? path : (SHARED_FOLDER.exec(path)?.[0] ?? path);
}

function rankOf({ name }: TestJob): number {
  const rank = LONGEST.indexOf(name);
  return rank === -1 ? LONGEST.length : rank;
}

/** Divides the files among processes, longest first. */
export function planJobs(files: readonly TestFile[]): readonly TestJob[] {
  const groups = Map.groupBy(files, groupOf);
  const jobs = [...groups].map(([name, members]) => ({
    name,
    paths: members.map(({ path }) => path),
  }));
  return jobs.sort((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Returns the file that runs a job; for a job of several files it writes one into the folder that
 * imports them.
 */
export function writeEntry(root: string, folder: string, { name, paths }: TestJob): string {
  const [only] = paths;
  if (only !== undefined && paths.length === 1) return join(root, only);
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, `${name.replaceAll("/", "-")}.mjs`);
  const imports = paths.map(
    (path) => `import ${JSON.stringify(pathToFileURL(join(root, path)).href)};\n`,
  );
  writeFileSync(entry, imports.join(""));
  return entry;
}
