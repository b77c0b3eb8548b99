import assert from "node:assert/strict";
import { test } from "node:test";
import { shareRuns } from "./share-runs.ts";

/** Work whose runs the test ends. */
function createWork() {
  const runs: PromiseWithResolvers<void>[] = [];
  const work = (): Promise<void> => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  /** The run with that number, once it has begun. */
  const begun = async (number: number): Promise<PromiseWithResolvers<void>> => {
    for (;;) {
      const run = runs[number - 1];
      if (run !== undefined) return run;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { work, begun, count: () => runs.length };
}

test("gives all callers during a run the next run, which they share", async () => {
  const { work, begun, count } = createWork();
  const call = shareRuns(work, 0);
  const first = call();
  const run = await begun(1);
  const later = [call(), call(), call()];
  run.resolve();
  await first;
  (await begun(2)).resolve();
  await Promise.all(later);
  assert.equal(count(), 2);
});

test("never starts two runs within the pause, whatever the calls", async () => {
  const begunAtMs: number[] = [];
  const call = shareRuns(async () => void begunAtMs.push(performance.now()), 50);
  // Nothing else keeps the process alive.
  const alive = setInterval(() => {}, 1000);
  for (let calls = 0; calls < 4; calls++) await Promise.all([call(), call()]);
  clearInterval(alive);
  assert.equal(begunAtMs.length, 4);
  // Timers count whole milliseconds.
  const gaps = begunAtMs.slice(1).map((ms, at) => ms - (begunAtMs[at] ?? 0));
  assert.ok(Math.min(...gaps) >= 49, `${gaps}`);
});

test("a failed run rejects only the callers that shared it", async () => {
  const { work, begun } = createWork();
  const call = shareRuns(work, 0);
  const [one, two] = [call(), call()];
  (await begun(1)).reject(new Error("no"));
  await assert.rejects(one, { message: "no" });
  await assert.rejects(two, { message: "no" });
  const later = call();
  (await begun(2)).resolve();
  await later;
});
