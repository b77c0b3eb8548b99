import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import { type CpuProfile, findCostliest } from "./costliest-functions.ts";
import { startCpuProfiling } from "./cpu-profiler.ts";

const directory = mkdtempSync(join(tmpdir(), "stile-profile-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A function with that name that keeps a core busy. */
const workNamed = (name: string): string =>
  `function ${name}(ms) { for (let end = performance.now() + ms; performance.now() < end; ) Math.random(); }`;

test("profiles the main thread and its workers, each into a file", async () => {
  const source = `const { parentPort } = require("node:worker_threads");
    ${workNamed("workOfTheWorker")}
    parentPort.on("message", (ms) => { workOfTheWorker(ms); parentPort.postMessage("done"); });`;
  const worker = new Worker(source, { eval: true });
  await once(worker, "online");
  try {
    const profiling = await startCpuProfiling(directory, "both");
    worker.postMessage(100);
    await once(worker, "message");
    new Function("ms", `${workNamed("workOfTheMain")}; workOfTheMain(ms);`)(100);
    const threads = await profiling.stop();
    assert.deepEqual(
      threads.map(({ file }) => basename(file)),
      ["both.main.cpuprofile", "both.worker-1.cpuprofile"],
    );
    for (const { cpuMicros } of threads) assert.ok(cpuMicros > 0, `${cpuMicros}`);
    const works = threads.map(({ file, cpuMicros }) => {
      const thread = { profile: JSON.parse(readFileSync(file, "utf8")) as CpuProfile, cpuMicros };
      const { bySelf } = findCostliest([thread], "/", 1000);
      return bySelf.map(({ name }) => name).filter((name) => name.startsWith("workOf"));
    });
    assert.deepEqual(works, [["workOfTheMain"], ["workOfTheWorker"]]);
  } finally {
    await worker.terminate();
  }
});
