import assert from "node:assert/strict";
import { test } from "node:test";
import { mayActAs, ROLES, ROLES_IN_ORDER, type Role } from "./roles.ts";

test("there are four roles, from the one that looks to the one that may do all (D16)", () => {
  assert.deepEqual(ROLES_IN_ORDER, ["viewer", "developer", "admin", "owner"]);
  for (const [role, meaning] of Object.entries(ROLES)) assert.match(meaning, /^[A-Z].*\.$/, role);
});

test("each role may do all that the ones before it may, and nothing of those behind it", () => {
  ROLES_IN_ORDER.forEach((role, at) => {
    const powers = ROLES_IN_ORDER.filter((needed) => mayActAs(role, needed));
    assert.deepEqual(powers, ROLES_IN_ORDER.slice(0, at + 1), role);
  });
});

test("a role that nobody knows may do nothing that a role is needed for", () => {
  for (const stranger of ["", "root", "constructor", "Owner"]) {
    for (const needed of ROLES_IN_ORDER)
      assert.equal(mayActAs(stranger as Role, needed), false, `${stranger} ${needed}`);
  }
});
