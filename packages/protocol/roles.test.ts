import assert from "node:assert/strict";
import { test } from "node:test";
import { mayActAs, ROLES, ROLES_IN_ORDER, type Role } from "./roles.ts";

test("has four roles, from the one that only views to the one that may do everything (D16, operator)", () => {
  assert.deepEqual(ROLES_IN_ORDER, ["viewer", "developer", "admin", "owner"]);
  for (const [role, meaning] of Object.entries(ROLES)) assert.match(meaning, /^[A-Z].*\.$/, role);
});

test("allows each role everything that the roles before it may do, and nothing beyond", () => {
  ROLES_IN_ORDER.forEach((role, at) => {
    const powers = ROLES_IN_ORDER.filter((needed) => mayActAs(role, needed));
    assert.deepEqual(powers, ROLES_IN_ORDER.slice(0, at + 1), role);
  });
});

test("allows an unknown role nothing that needs a role", () => {
  for (const stranger of ["", "root", "constructor", "Owner"]) {
    for (const needed of ROLES_IN_ORDER)
      assert.equal(mayActAs(stranger as Role, needed), false, `${stranger} ${needed}`);
  }
});
