import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

function run(command: string, ...args: string[]): void {
  const done = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  assert.equal(done.status, 0, `${command} ${args.join(" ")}\n${done.stdout}${done.stderr}`);
}

test("format and lint: biome finds nothing", () => {
  run(bin("biome"), "check", "--error-on-warnings");
});

test("what nothing uses goes, and what is used is declared: knip finds no file, export or dependency", () => {
  run(bin("knip"), "--no-progress");
});

const projects = ["tsconfig.json", ...globSync("packages/*/tsconfig.json", { cwd: root })];
for (const project of projects.sort()) {
  test(`types: ${project === "tsconfig.json" ? "node parts and tests" : dirname(project)}`, () => {
    run(bin("tsc"), "-p", project);
  });
}

const sources = globSync("{packages,tools,bench,e2e,simulation}/**/*.ts", { cwd: root }).filter(
  (path) => !/node_modules|\/dist\//.test(path),
);

test("no folder of core, stores and the public endpoints has more than 24 files", () => {
  const folders = sources.map(dirname).filter((folder) => /^packages\/(core|stores|server\/http\/v1)\b/.test(folder));
  const counts = Map.groupBy(folders, (folder) => folder);
  assert.ok(counts.size > 30);
  assert.deepEqual(
    [...counts].filter(([, files]) => files.length > 24).map(([folder]) => folder),
    [],
  );
});

test("a file of an engine is found by its name: no other has it", () => {
  const byName = Map.groupBy(sources, (path) => basename(path));
  const alike = [...byName.values()].filter(
    (paths) => paths.length > 1 && paths.some((path) => /^packages\/stores\/(sqlite|memory)\//.test(path)),
  );
  assert.deepEqual(alike, []);
});

test("no source file is longer than 300 lines", () => {
  const long = globSync("{packages,tools,bench,e2e,simulation}/**/*.{ts,tsx,mjs,css}", { cwd: root })
    .filter((path) => !/node_modules|\/dist\//.test(path))
    .filter((path) => readFileSync(join(root, path), "utf8").split("\n").length > 301);
  assert.deepEqual(long, []);
});
