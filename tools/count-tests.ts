import type { TestEvent } from "node:test/reporters";

/** How many tests passed and failed. */
export type Counts = { readonly passed: number; readonly failed: number };

/**
 * A reporter of `node --test`, which loads it by its path. At the end it writes one line of JSON,
 * the `Counts` of the run.
 * @public
 */
export default async function* countTests(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    // Each file has a summary too; only that of the whole run names no file.
    if (type !== "test:summary" || data.file !== undefined) continue;
    const { tests, passed, skipped, todo } = data.counts;
    const counts: Counts = { passed, failed: tests - passed - skipped - todo };
    yield JSON.stringify(counts);
  }
}
