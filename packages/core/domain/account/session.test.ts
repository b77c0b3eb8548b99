import assert from "node:assert/strict";
import { test } from "node:test";
import { SESSION_MS, sessionExpiresAtMs } from "./session.ts";

test("a session ends by its idle life or by its absolute one, whichever is first", () => {
  const session = {
    sessionId: "ses_1",
    tokenDigest: "d",
    userId: "usr_1",
    device: "Chrome on Linux",
    createdAtMs: 1000,
    lastSeenAtMs: 5000,
    provenAtMs: 1000,
  };
  assert.equal(sessionExpiresAtMs(session), 5000 + SESSION_MS.idle);
  const busy = { ...session, lastSeenAtMs: 1000 + SESSION_MS.absolute - 1 };
  assert.equal(sessionExpiresAtMs(busy), 1000 + SESSION_MS.absolute);
});
