import assert from "node:assert/strict";
import { test } from "node:test";
import { findRoute } from "./find-route.ts";
import { DASHBOARD_ROUTES } from "./routes.ts";

/** Base64url of the 1,023 bytes that a credential's id may have (WebAuthn, 6.5.1). */
const LONGEST_ID = "A".repeat(1364);

test("finds the route to remove a passkey for an id of any length, which its authenticator chooses", () => {
  for (const passkeyId of ["A", LONGEST_ID]) {
    const { route, params } = findRoute(DASHBOARD_ROUTES, "DELETE", `me/passkeys/${passkeyId}`);
    assert.deepEqual([route?.path, params], ["me/passkeys/:passkeyId", { passkeyId }]);
  }
});

test("finds no route for a segment that can't be an id", () => {
  for (const segment of ["", `${LONGEST_ID}A`, "a.b", "a%2Fb", "a:b", "é"]) {
    assert.deepEqual(
      findRoute(DASHBOARD_ROUTES, "DELETE", `me/passkeys/${segment}`).allowed,
      [],
      segment,
    );
  }
});
