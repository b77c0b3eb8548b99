import assert from "node:assert/strict";
import { test } from "node:test";
import "@stile/testkit/page/load-tsx";
import { runHook } from "@stile/testkit/page/run-hook";

const { Time } = await import("./time.tsx");

/** The moment after the clock has moved on. */
function laterMs(): number {
  const startMs = Date.now();
  while (Date.now() === startMs);
  return Date.now();
}

test("never shows fresh data as in the future, however long ago the page was opened", (t) => {
  let ms = Date.now();
  const shown = runHook(() => Time({ ms }).props.children);
  t.after(shown.end);
  ms = laterMs();
  shown.again();
  assert.equal(shown.latest(), "just now");
});
