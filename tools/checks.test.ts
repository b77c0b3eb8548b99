import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { digestFiles, digestOf, lookAtChanged } from "./known-clean.ts";

const root = join(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

function run(command: string, ...args: string[]): void {
  const done = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  assert.equal(done.status, 0, `${command} ${args.join(" ")}\n${done.stdout}${done.stderr}`);
}

const digests = digestFiles(root);
const knownOf = (tool: string): string => join(root, "node_modules", ".cache", "clean", tool);

test("format and lint: biome finds nothing", () => {
  const look = (paths: readonly string[]): void =>
    run(
      bin("biome"),
      "check",
      "--error-on-warnings",
      "--files-ignore-unknown=true",
      "--no-errors-on-unmatched",
      ...paths,
    );
  if (digests === undefined) look([]);
  else
    lookAtChanged(knownOf("biome"), digests, (changed) =>
      look(changed.length < digests.size / 2 ? changed : []),
    );
});

test("biome's rules judge each file by itself, so that one which was clean stays so while others change", () => {
  const { linter, plugins } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  assert.deepEqual([linter.domains, plugins], [undefined, undefined]);
});

test("what nothing uses goes, and what is used is declared: knip finds no file, export or dependency", () => {
  const look = (): void => run(bin("knip"), "--no-progress");
  if (digests === undefined) look();
  // knip looks at all files together.
  else lookAtChanged(knownOf("knip"), new Map([["all", digestOf([...digests.values()])]]), look);
});

const sources = globSync("{packages,tools,trials,e2e,deploy}/**/*.ts", {
  cwd: root,
}).filter((path) => !/node_modules|\/dist\//.test(path));

test("no folder of core, stores and the public endpoints has more than 24 files", () => {
  const folders = sources
    .map(dirname)
    .filter((folder) => /^packages\/(core|stores|server\/http\/v1)\b/.test(folder));
  const counts = Map.groupBy(folders, (folder) => folder);
  assert.ok(counts.size > 30);
  assert.deepEqual(
    [...counts].filter(([, files]) => files.length > 24).map(([folder]) => folder),
    [],
  );
});

test("no folder is called steps: what a step is about says where it lies", () => {
  assert.deepEqual(
    sources.filter((path) => /\/steps\//.test(path)),
    [],
  );
});

/** An export needs a sentence above it; a re-export has its sentence where it is defined. */
const EXPORTED = /^export (?:async function|function|const|let|class|type \w|interface|abstract)/;

function findUntold(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.filter((line, index) => {
    if (!EXPORTED.test(line)) return false;
    const above = lines
      .slice(0, index)
      .findLast((earlier) => !earlier.startsWith("// biome-ignore"));
    return !above?.endsWith("*/");
  });
}

test("every export says what it means", () => {
  assert.deepEqual(
    findUntold("/** One. */\nexport const a = 1;\nexport const b = 2;\nexport type { C };"),
    ["export const b = 2;"],
  );
  const told = globSync("{packages,tools,trials,e2e}/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !/node_modules|\/dist\/|\.(test|e2e)\.ts$|-snippets\.ts$/.test(path))
    .flatMap((path) =>
      findUntold(readFileSync(join(root, path), "utf8")).map((line) => `${path}: ${line}`),
    );
  assert.deepEqual(told, []);
});

test("a file of an engine is found by its name: no other has it", () => {
  const byName = Map.groupBy(sources, (path) => basename(path));
  const alike = [...byName.values()].filter(
    (paths) =>
      paths.length > 1 &&
      paths.some((path) => /^packages\/stores\/(sqlite|memory|postgres)\//.test(path)),
  );
  assert.deepEqual(alike, []);
});
