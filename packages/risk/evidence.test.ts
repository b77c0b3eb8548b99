import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR, withEnvironment } from "@stile/testkit/visits/find-visitor";
import { toEvidence } from "@stile/testkit/visits/handed-in";
import { knownBehaviour, knownEnvironment, requestUserAgent, shownUserAgents } from "./evidence.ts";

test("finds nothing to assess in signals that were withheld or could not be had (D9, submission)", () => {
  for (const part of ["withheld", undefined] as const) {
    assert.equal(knownEnvironment({ environment: part }), undefined);
    assert.equal(knownBehaviour({ behaviour: part }), undefined);
  }
  const evidence = toEvidence(CHROME_VISITOR);
  assert.equal(knownEnvironment(evidence), evidence.environment);
  assert.equal(knownBehaviour(evidence), evidence.behaviour);
});

test("prefers the user agent that the caller names to the one in the headers (D7, score request)", () => {
  assert.equal(requestUserAgent({ userAgent: "a", headers: { "user-agent": "b" } }), "a");
  assert.equal(requestUserAgent({ userAgent: "", headers: { "user-agent": "b" } }), "");
  assert.equal(requestUserAgent({ headers: { "user-agent": "b" } }), "b");
  assert.equal(requestUserAgent({}), undefined);
});

test("lists the user agents of all places, each text once", () => {
  const frame = { ...CHROME_VISITOR.environment, userAgent: "frame" };
  const disguised = withEnvironment(CHROME_VISITOR, { userAgent: "page", frame });
  assert.deepEqual(shownUserAgents(toEvidence(disguised)), [
    CHROME_VISITOR.userAgent,
    "page",
    "frame",
  ]);
  assert.deepEqual(shownUserAgents(toEvidence(CHROME_VISITOR)), [CHROME_VISITOR.userAgent]);
  assert.deepEqual(shownUserAgents({}), []);
});
