import assert from "node:assert/strict";
import { test } from "node:test";
import { startRun } from "./run.ts";

test("what a run says carries the number that its page gave it, as pages from before an upgrade know late events by it", () => {
  const heard: unknown[] = [];
  const perform = startRun({
    ...{ base: "https://stile.example", refuses: () => false, run: 3, signal: new AbortController().signal },
    element: { getAttribute: () => null } as unknown as Element,
    observed: Promise.resolve(),
    behaviour: () => assert.fail("asked for"),
    send: (event) => heard.push(event),
  });
  perform({ type: "fetch" });
  assert.deepEqual(heard, [{ type: "failed", error: { name: "sitekey_missing" }, run: 3 }]);
});
