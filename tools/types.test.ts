import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const compiler = join(root, "node_modules", ".bin", "tsc");
/**
 * What the compiler knows about each file, so that the next run only checks again what a change
 * affects.
 */
const known = join(root, "node_modules", ".cache", "types");
mkdirSync(known, { recursive: true });

const projects = ["tsconfig.json", ...globSync("packages/*/tsconfig.json", { cwd: root })];
for (const project of projects.map((path) => path.replaceAll("\\", "/")).sort()) {
  const name = project === "tsconfig.json" ? "node parts and tests" : dirname(project);
  test(`types: ${name}`, () => {
    const buildInfo = join(known, `${name.replaceAll(/\W/g, "-")}.tsbuildinfo`);
    // One thread: other tests run beside it, and several threads would do part of the work twice.
    const options = ["--singleThreaded", "--incremental", "--tsBuildInfoFile", buildInfo];
    const done = spawnSync(compiler, ["-p", project, ...options], { cwd: root, encoding: "utf8" });
    assert.equal(done.status, 0, `tsc -p ${project}\n${done.stdout}${done.stderr}`);
  });
}
