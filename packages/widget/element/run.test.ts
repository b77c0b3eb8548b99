import assert from "node:assert/strict";
import { test } from "node:test";
import { startRun } from "./run.ts";

test("a run of an element without a site key asks nothing of the service, and says so", () => {
  const heard: unknown[] = [];
  const perform = startRun({
    ...{
      base: "https://stile.example",
      refuses: () => false,
      signal: new AbortController().signal,
    },
    element: { getAttribute: () => null } as unknown as Element,
    observed: Promise.resolve(),
    behaviour: () => assert.fail("asked for"),
    send: (event) => heard.push(event),
  });
  perform({ type: "fetch" });
  assert.deepEqual(heard, [{ type: "failed", error: { name: "sitekey_missing" } }]);
});
