import assert from "node:assert/strict";
import { test } from "node:test";
import { solveCap } from "./cap-solving.ts";

test("solves a challenge of @cap.js/server 4.0.5: it accepted these numbers and refused their successors", () => {
  assert.deepEqual(solveCap("5a".repeat(25), { c: 3, s: 32, d: 2 }), [62, 61, 56]);
});
