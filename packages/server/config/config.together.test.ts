import assert from "node:assert/strict";
import { test } from "node:test";
import { configOf, problemsOf } from "@stile/testkit/service/config-of";

test("takes the header of TLS fingerprints in any case, and only with trusted proxies (D14, client address; D17, settings)", () => {
  const proxies = { STILE_TRUSTED_PROXIES: "10.0.0.1" };
  assert.equal(
    configOf({ ...proxies, STILE_TLS_FINGERPRINT_HEADER: "X-JA4" }).tlsFingerprintHeader,
    "x-ja4",
  );
  assert.match(
    problemsOf({ STILE_TLS_FINGERPRINT_HEADER: "x-ja4" }).join(),
    /Set STILE_TRUSTED_PROXIES, or remove it\.$/,
  );
  for (const name of ["x ja4", "x:ja4", "-", "ä"]) {
    assert.match(
      problemsOf({ ...proxies, STILE_TLS_FINGERPRINT_HEADER: name }).join(),
      /must be the name of a header/,
    );
  }
});
