import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { InsideReport } from "./inside-report.ts";
import { fitSlope, medianOf, type Slope } from "./slope.ts";

/** An observation of the service's process at one moment. */
export type Sample = {
  /** Time since the measurement began, ms. */
  readonly atMs: number;
  readonly rssBytes: number;
  readonly descriptors: number;
  readonly inside: InsideReport;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const UNTOLD: InsideReport = { p99Ms: 0, maxMs: 0, liveBytes: 0 };

/** A process's report about itself; zeros before the first report. */
export function readInside(reportFile: string): InsideReport {
  return existsSync(reportFile)
    ? (JSON.parse(readFileSync(reportFile, "utf8")) as InsideReport)
    : UNTOLD;
}

/** Looks at a Linux process from outside, and reads its report. */
export function takeSample(pid: number, reportFile: string, atMs: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const rssBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  const inside = readInside(reportFile);
  return { atMs, rssBytes, descriptors: readdirSync(`/proc/${pid}/fd`).length, inside };
}

/** The samples without the first third of the time, which is for warming up. */
export function withoutWarmUp(samples: readonly Sample[]): Sample[] {
  const lastMs = samples.at(-1)?.atMs ?? 0;
  return samples.filter(({ atMs }) => atMs >= lastMs / 3);
}

/**
 * How much a value rises per hour, by the medians of the minutes: single samples jump with every
 * collection.
 */
export function riseAnHour(samples: readonly Sample[], pick: (sample: Sample) => number): Slope {
  const minutes = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / MINUTE_MS));
  const points = [...minutes].map(
    ([minute, inIt]) => [(minute * MINUTE_MS) / HOUR_MS, medianOf(inIt.map(pick))] as const,
  );
  return fitSlope(points);
}
