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
 * The calls of commands for work on Stile, except the test commands; `attack` reads its options as
 * `accidents` does.
 */
const TOOLS = [
  "npm run dev --",
  "npm run solve --",
  "npm run bench --",
  "npm run eval:risk --",
  "npm run install:production --",
  "npm run trial --",
  "npm run trial -- accidents",
  "npm run trial -- redteam",
  "npm run trial -- simulation",
  "npm run trial -- soak",
  "npm run trial -- torture",
  "npm run trial -- train-risk",
  "node tools/flags.ts",
  "node tools/screenshots.ts",
];

/** Calls the program of a command directly, without the steps before it. */
function call(command: string, option: string) {
  const [, script, trial = ""] = /^npm run (\S+) -- ?(\S*)$/.exec(command) ?? [];
  const line = script === undefined ? command : `${scripts[script]} ${trial}`;
  const [, file = "", name = ""] = /(\S+\.ts) ?(\S*)$/.exec(line) ?? [];
  // If the program misses the option, npm is not found, and nothing is removed.
  const env = { ...process.env, npm_execpath: join(root, "no-npm") };
  return spawnSync(process.execPath, [file, ...(name === "" ? [] : [name]), option], {
    cwd: root,
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
}

for (const name of TOOLS) {
  test(`${name} --help prints its usage and does nothing`, () => {
    const { status, stdout, stderr } = call(name, "--help");
    assert.deepEqual([status, stderr], [0, ""]);
    assert.ok(stdout.startsWith(`Usage: ${name.replace(/ --$/, "")}`), stdout);
  });
}

for (const name of ["solve", "bench"]) {
  test(`npm run ${name} refuses an unknown option, and says how to list its options`, () => {
    const { status, stdout, stderr } = call(`npm run ${name} --`, "--no-such-option");
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(
      stderr,
      new RegExp(`^${name}: Unknown option '--no-such-option'.*npm run ${name} -- --`, "s"),
    );
  });
}

test("npm run trial refuses a trial that does not exist, and lists those that do", () => {
  const { status, stdout, stderr } = call("npm run trial --", "tortoise");
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^trial: there is no trial "tortoise"\.\n\nUsage: .*\n {2}torture {2,}/s);
});
