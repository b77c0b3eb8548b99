import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
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

test("no folder is called steps: a folder has the name of its subject", () => {
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

test("every exported name has a comment", () => {
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

test("no two files of an engine share a name", () => {
  const byName = Map.groupBy(sources, (path) => basename(path));
  const alike = [...byName.values()].filter(
    (paths) =>
      paths.length > 1 &&
      paths.some((path) => /^packages\/stores\/(sqlite|memory|postgres)\//.test(path)),
  );
  assert.deepEqual(alike, []);
});
