import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { watchTree } from "./process-tree.ts";

// Seldom asks for its time, which would itself take most of it, and count as the kernel's.
const BURN =
  "const end = process.cpuUsage().user + 600000; while (process.cpuUsage().user < end) for (let i = 0; i < 1e6; i++);";
const GRANDCHILD = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(BURN)}])`;

test("counts a started program and its children, and no process that was there before", async (context) => {
  if (process.platform !== "linux") return context.skip("only Linux tells it in /proc");
  const idle = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  context.after(() => idle.kill());
  await once(idle, "spawn");
  assert.equal(watchTree().end().cpuSeconds, 0);
  const watched = watchTree();
  await once(spawn(process.execPath, ["-e", GRANDCHILD]), "exit");
  const { cpuSeconds, peakBytes } = watched.end();
  // The last sample may miss part of the 0.6 s, and starting the two processes takes some time.
  assert.ok(cpuSeconds > 0.3 && cpuSeconds < 5, `${cpuSeconds} s`);
  assert.ok(peakBytes > 20e6 && peakBytes < 500e6, `${peakBytes} bytes`);
});
