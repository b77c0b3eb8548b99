import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HEAP_OPTIONS, MALLOC_SETTINGS } from "@stile/server/lifecycle/heap-options";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("npm start, the systemd unit and the image start Node with the same options", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  const started = ["exec node tools/run.mjs --production", ...HEAP_OPTIONS, "tools/start.ts"];
  assert.equal(scripts.start, started.join(" "));
  const [, line] = /^ExecStart=(.*)$/m.exec(read("deploy/systemd/stile.service")) ?? [];
  assert.equal(
    line,
    ["/opt/stile/node_modules/.bin/node", ...HEAP_OPTIONS, "tools/start.ts"].join(" "),
  );
  const [, words = "[]"] = /^ENTRYPOINT (.*)$/m.exec(read("deploy/Dockerfile")) ?? [];
  assert.deepEqual(JSON.parse(words), ["node", ...HEAP_OPTIONS, "packages/server/dist/main.js"]);
  for (const [name, value] of Object.entries(MALLOC_SETTINGS)) {
    assert.ok(read("deploy/systemd/stile.service").includes(`\nEnvironment=${name}=${value}\n`));
    assert.match(read("deploy/Dockerfile"), new RegExp(`^(ENV|   ) ${name}=${value} `, "m"));
  }
});

test("Node accepts these options, and gives young objects no more room than they say", () => {
  const code =
    "process.stdout.write(String(require('node:v8').getHeapStatistics().heap_size_limit))";
  const limitOf = (options: readonly string[]): number => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, "-e", code], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    return Number(stdout);
  };
  assert.ok(limitOf(HEAP_OPTIONS) < limitOf([]));
});
