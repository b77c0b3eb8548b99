import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf, findChanges } from "./audit.ts";

test("findChanges returns the fields whose values differ, with before and after, in order", () => {
  const before = { name: "a", domains: ["x"], thresholds: { challenge: 0.3 }, limit: null };
  const after = { name: "b", domains: ["x"], thresholds: { challenge: 0.2 }, limit: null };
  assert.deepEqual(findChanges(before, after), [
    { field: "name", before: "a", after: "b" },
    { field: "thresholds", before: { challenge: 0.3 }, after: { challenge: 0.2 } },
  ]);
  assert.deepEqual(findChanges(before, { ...before }), []);
});

test("a member acts under their email, whatever name they chose", () => {
  const member = { userId: "usr_1", email: "ada@example.org", name: "command line" };
  assert.deepEqual(actorOf(member), { userId: "usr_1", name: "ada@example.org" });
});
