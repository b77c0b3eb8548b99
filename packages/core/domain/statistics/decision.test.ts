import assert from "node:assert/strict";
import { test } from "node:test";
import { firstIdOf, toDecisionId } from "./decision.ts";

test("decision ids grow with time, and none of a moment is below its first", () => {
  const moments = [
    0,
    1,
    255,
    256,
    Date.UTC(2026, 0, 1),
    Date.UTC(2026, 0, 1) + 1,
    Date.UTC(2999, 0, 1),
  ];
  const ids = moments.map((atMs) => toDecisionId(atMs, Uint8Array.of(255, 255, 255, 255)));
  assert.deepEqual(ids.toSorted(), ids);
  for (const [index, atMs] of moments.entries()) {
    assert.ok(firstIdOf(atMs) <= toDecisionId(atMs, new Uint8Array(4)));
    assert.ok(firstIdOf(atMs) > (ids[index - 1] ?? ""));
    assert.match(toDecisionId(atMs, Uint8Array.of(0, 1, 2, 3)), /^[0-9a-f]{13}00010203$/);
  }
});
