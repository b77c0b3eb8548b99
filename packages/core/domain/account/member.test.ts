import assert from "node:assert/strict";
import { test } from "node:test";
import { ROLES_IN_ORDER } from "@stile/protocol/roles";
import { mayManage } from "./member.ts";

test("owners manage everybody, admins the members below them, and the others nobody", () => {
  const managed = ROLES_IN_ORDER.map((actor) =>
    ROLES_IN_ORDER.filter((target) => mayManage(actor, target)),
  );
  assert.deepEqual(managed, [[], [], ["viewer", "developer"], ROLES_IN_ORDER]);
});
