import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/**
 * Commands for work on Stile, except the test commands; `attack` reads its options as `accidents`
 * does.
 */
const TOOLS = [
  "dev",
  "solve",
  "bench",
  "screenshots",
  "train:risk",
  "eval:risk",
  "redteam",
  "simulate",
  "accidents",
  "torture",
  "soak",
  "install:production",
  "flags",
];

function call(name: string, option: string) {
  const file =
    /^(?:exec )?node (\S+\.ts)$/.exec(scripts[name] ?? "")?.[1] ??
    assert.fail(`${name} is no tool`);
  // If the option is overlooked, npm is not found, and nothing is removed.
  const env = { ...process.env, npm_execpath: join(root, "no-npm") };
  return spawnSync(process.execPath, [file, option], {
    cwd: root,
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
}

for (const name of TOOLS) {
  test(`npm run ${name} -- --help prints how it is called and does nothing`, () => {
    const { status, stdout, stderr } = call(name, "--help");
    assert.deepEqual([status, stderr], [0, ""]);
    assert.ok(stdout.startsWith(`Usage: npm run ${name}`), stdout);
  });
}

for (const name of ["solve", "bench"]) {
  test(`npm run ${name} refuses an option that it does not know, and says where its options are told`, () => {
    const { status, stdout, stderr } = call(name, "--no-such-option");
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(
      stderr,
      new RegExp(`^${name}: Unknown option '--no-such-option'.*npm run ${name} -- --`, "s"),
    );
  });
}
