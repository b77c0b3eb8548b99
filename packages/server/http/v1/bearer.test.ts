import assert from "node:assert/strict";
import { test } from "node:test";
import { bearerOf } from "./bearer.ts";

test("reads the key behind Bearer in any case of the scheme (spec 5.1)", () => {
  for (const header of ["Bearer sk_a", "bearer sk_a", "BEARER   sk_a", "Bearer sk_a  "])
    assert.equal(bearerOf(header), "sk_a", header);
});

test("finds no key in another scheme, an empty header, or several keys (spec 5.1)", () => {
  for (const header of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Basic sk_a",
    "sk_a",
    "Bearersk_a",
    "Bearer a b",
    "x Bearer sk_a",
  ]) {
    assert.equal(bearerOf(header), undefined, header ?? "absent");
  }
});
