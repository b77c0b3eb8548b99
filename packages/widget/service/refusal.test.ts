import assert from "node:assert/strict";
import { test } from "node:test";
import { API_ERROR_CODES } from "@stile/protocol/api-error-codes";
import { readRefusal } from "./refusal.ts";

test("turns every error code of D11 (errors) into an error with a text, and only known ones into a special one", () => {
  for (const code of Object.keys(API_ERROR_CODES)) {
    const [error] = readRefusal(
      { success: false, error: { code, request_id: "id" } },
      "7",
      "shop.example",
    );
    const known = ["invalid_site_key", "domain_mismatch", "site_disabled", "rate_limited"].includes(
      code,
    );
    assert.equal(error.name !== "internal", known, code);
    assert.equal(error.requestId, "id");
  }
});

test("names a foreign host and the seconds to wait (D8, challenge; D10, limits)", () => {
  assert.equal(
    readRefusal({ error: { code: "domain_mismatch" } }, "7", "shop.example")[0].detail,
    "shop.example",
  );
  assert.equal(
    readRefusal({ error: { code: "rate_limited" } }, "7", "shop.example")[0].detail,
    "7",
  );
  assert.equal(
    readRefusal({ error: { code: "rate_limited" } }, null, "shop.example")[0].detail,
    undefined,
  );
});

test("does not take names of the prototype for error codes", () => {
  for (const code of ["__proto__", "constructor", "toString"]) {
    assert.equal(readRefusal({ error: { code } }, null, "h")[0].name, "internal");
  }
});

test("accepts a wait in whole seconds, up to an hour", () => {
  const waitOf = (retryAfter: string | null) => readRefusal({}, retryAfter, "h")[1];
  assert.deepEqual(["0", "7", "9999"].map(waitOf), [0, 7, 3600]);
  for (const odd of [null, "", "-1", "1.5", "10000", "soon"])
    assert.equal(waitOf(odd), undefined, String(odd));
});
