import type { TestEvent } from "node:test/reporters";

/** How many tests passed and failed. */
export type Counts = { readonly passed: number; readonly failed: number };

/** The counts of a run, and of each file of it in which a test failed. */
export type RunCounts = Counts & { readonly failedFiles: Readonly<Record<string, Counts>> };

/**
 * A reporter of `node --test`, which loads it by its path. At the end it writes one line of JSON,
 * the `RunCounts` of the run.
 * @public
 */
export default async function* countTests(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const failedFiles: Record<string, Counts> = {};
  for await (const { type, data } of events) {
    if (type !== "test:summary") continue;
    const { tests, passed, skipped, todo } = data.counts;
    const counts: Counts = { passed, failed: tests - passed - skipped - todo };
    // Each file has a summary; only that of the whole run names no file.
    if (data.file === undefined) yield JSON.stringify({ ...counts, failedFiles });
    else if (counts.failed > 0) failedFiles[data.file] = counts;
  }
}
