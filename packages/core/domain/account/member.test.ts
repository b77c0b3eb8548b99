import assert from "node:assert/strict";
import { test } from "node:test";
import { ROLES_IN_ORDER } from "@stile/protocol/roles";
import { mayManage, SESSION_MS, sessionExpiresAtMs } from "./member.ts";

test("owners manage everybody, admins those below them, the others nobody", () => {
  const managed = ROLES_IN_ORDER.map((actor) => ROLES_IN_ORDER.filter((target) => mayManage(actor, target)));
  assert.deepEqual(managed, [[], [], ["viewer", "developer"], ROLES_IN_ORDER]);
});

test("a session ends by its idle life or by its absolute one, whichever is first", () => {
  const session = {
    ...{ sessionId: "ses_1", tokenDigest: "d", userId: "usr_1", device: "Chrome on Linux" },
    ...{ createdAtMs: 1000, lastSeenAtMs: 5000, provenAtMs: 1000 },
  };
  assert.equal(sessionExpiresAtMs(session), 5000 + SESSION_MS.idle);
  const busy = { ...session, lastSeenAtMs: 1000 + SESSION_MS.absolute - 1 };
  assert.equal(sessionExpiresAtMs(busy), 1000 + SESSION_MS.absolute);
});
