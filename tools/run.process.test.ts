import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";

const RUN = join(import.meta.dirname, "run.mjs");

/** Options of Node with which run.mjs replaces itself, and with which it cannot. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  "replaces run.mjs": [],
  "is a child of run.mjs": ["--import", "data:text/javascript,process.execve = undefined"],
};

function start(options: readonly string[], command: readonly string[]) {
  const child = spawn(process.execPath, [...options, RUN, ...command]);
  return {
    child,
    ended: Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
      ([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr }),
    ),
  };
}

for (const [way, options] of Object.entries(WAYS)) {
  suite(`a command that ${way}`, { skip: process.platform === "win32" && "other signals" }, () => {
    test("gets its options of Node and its arguments, prints nothing else, and gives its exit code", async () => {
      const code =
        "console.log(JSON.stringify([process.execArgv[0], ...process.argv.slice(1)])); process.exitCode = 7";
      const command = ["--max-semi-space-size=16", "-e", code, "--", "--production", "a b", "*"];
      assert.deepEqual(await start(options, ["--production", ...command]).ended, {
        code: 7,
        signal: null,
        stdout: '["--max-semi-space-size=16","--production","a b","*"]\n',
        stderr: "",
      });
    });

    test("reads the standard input of run.mjs", async () => {
      const { child, ended } = start(options, ["-e", "process.stdin.pipe(process.stdout)"]);
      child.stdin.end("sent");
      assert.equal((await ended).stdout, "sent");
    });

    test("gets the signals that run.mjs gets, and ends in its own way", async () => {
      const code =
        'process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 9999); console.log("ready")';
      const { child, ended } = start(options, ["-e", code]);
      await once(child.stdout, "data");
      child.kill("SIGTERM");
      assert.deepEqual([(await ended).code, (await ended).signal], [9, null]);
    });

    test("ends run.mjs by the signal that ends it", async () => {
      const { ended } = start(options, ["-e", 'process.kill(process.pid, "SIGKILL")']);
      assert.deepEqual([(await ended).code, (await ended).signal], [null, "SIGKILL"]);
    });
  });
}

test("a command that is a child of run.mjs is asked to end when npm has ended", async () => {
  const code =
    'process.on("SIGTERM", () => { console.log("asked"); process.exit(); }); setInterval(() => {}, 9999); console.log("ready")';
  const options = WAYS["is a child of run.mjs"] ?? [];
  const npm = spawn(
    "sh",
    ["-c", '"$@" & wait', "sh", process.execPath, ...options, RUN, "-e", code],
    {
      env: { ...process.env, npm_lifecycle_event: "start" },
    },
  );
  const printed = text(npm.stdout);
  await once(npm.stdout, "data");
  npm.kill("SIGKILL");
  assert.equal(await printed, "ready\nasked\n");
});
