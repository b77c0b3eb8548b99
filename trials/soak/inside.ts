// `npm run trial -- soak` loads this into the service before everything else (--import): reports once a
// second how late the event loop is, and how much memory is live after the full collection of each
// minute. SIGUSR2 resets the delays.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import type { InsideReport } from "./inside-report.ts";

const RESOLUTION_MS = 10;
const file = process.env.SOAK_REPORT;

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on("SIGUSR2", () => delays.reset());
  let liveBytes = 0;
  const collect = (): void => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    liveBytes = heapUsed + external;
  };
  // The histogram holds whole intervals; the part above its resolution is the delay.
  const toDelay = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const tell = (): void => {
    const report: InsideReport = {
      p99Ms: toDelay(delays.percentile(99)),
      maxMs: toDelay(delays.max),
      liveBytes,
    };
    writeFileSync(`${file}.new`, JSON.stringify(report));
    renameSync(`${file}.new`, file);
  };
  setInterval(tell, 1000).unref();
  setInterval(collect, 60_000).unref();
}
