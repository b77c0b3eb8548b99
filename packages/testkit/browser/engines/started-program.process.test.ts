import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { startProgram } from "./started-program.ts";

/** Starts another process, as browsers do, prints its id and folder, and waits forever. */
const LASTING = ["-c", 'sleep 1000 & echo "$! in $PWD."; wait'];

function isRunning(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Resolves once a process is gone; the test's own time limit ends a futile wait. */
async function isGone(pid: string): Promise<void> {
  while (isRunning(pid)) await setImmediate();
}

test("the end of a program ends its child processes, and removes its folder", async () => {
  const program = startProgram("/bin/sh", () => LASTING);
  const [pid = "", folder = ""] = (await program.says(/(\d+ in .*)\./)).split(" in ");
  assert.deepEqual([isRunning(pid), existsSync(folder), program.hasEnded()], [true, true, false]);
  await program[Symbol.asyncDispose]();
  await isGone(pid);
  assert.deepEqual([existsSync(folder), program.hasEnded()], [false, true]);
});

test("a program whose starter was killed ends with it, and so do its child processes", async () => {
  const starter = `import { startProgram } from ${JSON.stringify(join(import.meta.dirname, "started-program.ts"))};
    const program = startProgram("/bin/sh", () => ${JSON.stringify(LASTING)});
    console.log(await program.says(/(\\d+) in/));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", starter], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const pid = String(line).trim();
  assert.ok(isRunning(pid));
  child.kill("SIGKILL");
  await isGone(pid);
});

test("rejects with the program's output if it ends before it prints the expected text", async () => {
  await using program = startProgram("/bin/sh", () => ["-c", "echo no screen here >&2; exit 3"]);
  await assert.rejects(program.says(/ready/), /\/bin\/sh ended: no screen here/);
  assert.equal(program.hasEnded(), true);
});
