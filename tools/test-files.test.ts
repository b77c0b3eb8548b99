import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { listTestFiles } from "./test-files.ts";

const root = join(import.meta.dirname, "..");

/** Imports that start processes, threads, engines or listeners, or change the whole process. */
const NOT_IN_UNIT_TESTS = [
  /^import [^;]*from "(node:(child_process|cluster|v8|worker_threads)|pg|playwright-core)"/m,
  /^import [^;]*\b(Agent|createServer|connect|createConnection|get|request)\b[^;]*from "node:(http|https|net)"/m,
  /^import [^;]*\b(after|afterEach|before|beforeEach|mock)\b[^;]*from "node:test"/m,
  /^import [^;]*from "[^"]*\/threaded-store(\.ts)?"/m,
];
/** The same for the test's own code; a helper may read the environment. */
const CHANGES_PROCESS =
  /\bprocess\.(chdir|cpuUsage|env|exit|memoryUsage|on|once|umask)\b|\btest\.(after|before)(Each)?\(|\(globalThis,|\bglobalThis\.\w+ = /;
const IMPORT = /^(?:import|export) (?!type)[^;]*from "([^"]+)"/gm;
const THIS = "tools/test-files.test.ts";

/** The helpers in testkit that a file imports, as paths from the root. */
function findHelpers(path: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORT)]
    .map(([, specifier = ""]) =>
      specifier.startsWith(".")
        ? normalize(join(dirname(path), specifier)).replaceAll("\\", "/")
        : specifier.replace(/^@stile(.*)$/, "packages$1.ts"),
    )
    .filter((target) => target.startsWith("packages/testkit/") && existsSync(join(root, target)));
}

/** The file that starts or changes something: this one, or a helper that it imports. */
function findCause(path: string, text: string, seen = new Set<string>()): string | undefined {
  if (NOT_IN_UNIT_TESTS.some((pattern) => pattern.test(text))) return path;
  for (const helper of findHelpers(path, text)) {
    if (seen.has(helper)) continue;
    seen.add(helper);
    const cause = findCause(helper, readFileSync(join(root, helper), "utf8"), seen);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

test("unit tests start nothing, have no hooks of their file and leave their process unchanged", () => {
  const { unit } = listTestFiles(root);
  assert.ok(unit.length > 300);
  const found = unit
    .filter((path) => path !== THIS)
    .map((path) => [path, readFileSync(join(root, path), "utf8")] as const)
    .flatMap(([path, text]) => {
      const cause = CHANGES_PROCESS.test(text) ? path : findCause(path, text);
      return cause === undefined ? [] : [`${path} (${cause})`];
    });
  assert.deepEqual(found, [], "name these files *.process.test.ts");
});

test("the rule detects processes, listeners, hooks, threads and helpers that start something", () => {
  const lines = [
    'import { spawn } from "node:child_process";',
    'import { createServer, type Server } from "node:http";',
    'import { after, test } from "node:test";',
    'import { openThreadedStore } from "./threaded-store.ts";',
    'import { startInProcess } from "@stile/testkit/service/in-process-service";',
  ];
  for (const line of lines) assert.notEqual(findCause("packages/a.test.ts", line), undefined, line);
  const allowed = [
    'import { isIP } from "node:net";',
    'import type { Server } from "node:http";',
    'import { test } from "node:test";',
  ];
  assert.equal(findCause("packages/a.test.ts", allowed.join("\n")), undefined);
});
