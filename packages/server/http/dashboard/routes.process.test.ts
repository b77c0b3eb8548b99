import assert from "node:assert/strict";
import { after, test } from "node:test";
import { callDashboard, newAccount, newSession } from "@stile/testkit/contract/dashboard";
import { SAMPLES } from "@stile/testkit/contract/dashboard-samples";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { DASHBOARD_ROUTES } from "./routes.ts";

const fixture = await startInProcess({ STILE_DEMO: "off" });
after(() => fixture.stop());
const account = await newAccount(fixture);
const FRESH_MS = 600_000;

/**
 * The access rights of each role, written a second time, so that a slip in the table is noticed.
 * `+` needs a fresh proof.
 */
const ACCESS = {
  anyone: [
    "GET sign-in",
    "POST sign-in",
    "POST sign-in/puzzle",
    "POST sign-in/passkey/options",
    "POST sign-in/passkey",
    "POST link",
    "POST link/accept",
  ],
  viewer: [
    "POST sign-out",
    "POST prove",
    "POST prove/passkey/options",
    "POST prove/passkey",
    "GET me",
    "GET me/sessions",
    "DELETE me/sessions/:sessionId",
    "DELETE me/sessions",
    "POST me/password",
    "GET sites",
    "GET sites/:siteKey",
    "GET sites/:siteKey/outcome",
    "GET sites/:siteKey/scores",
    "GET sites/:siteKey/decisions",
    "GET sites/:siteKey/install",
    "GET sites/:siteKey/waves",
  ],
  "viewer+": [
    "PATCH me",
    "POST me/totp",
    "POST me/totp/confirm",
    "DELETE me/totp",
    "POST me/passkeys/options",
    "POST me/passkeys",
    "DELETE me/passkeys/:passkeyId",
    "POST me/recovery-codes",
  ],
  developer: [
    "POST sites",
    "PATCH sites/:siteKey",
    "PUT sites/:siteKey/decisions/:decisionId/label",
    "PUT sites/:siteKey/waves/:waveId",
  ],
  admin: ["GET members", "DELETE invitations/:linkId", "GET audit", "GET system"],
  "admin+": [
    "POST members",
    "PATCH members/:userId",
    "DELETE members/:userId",
    "POST members/:userId/reset",
    "DELETE members/:userId/sessions",
    "DELETE sites/:siteKey",
    "POST sites/:siteKey/restore",
    "POST sites/:siteKey/rotate",
    "POST sites/:siteKey/revoke",
  ],
  owner: ["PATCH account"],
  "owner+": ["PUT account/second-factor"],
};

test("asks for the right role and proof on each route", () => {
  const found: Record<string, string[]> = {};
  for (const route of DASHBOARD_ROUTES) {
    const access = route.role === "anyone" || !route.needsProof ? route.role : `${route.role}+`;
    found[access] = [...(found[access] ?? []), `${route.method} ${route.path}`];
  }
  const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(table).map(([access, names]) => [access, [...names].sort()]));
  assert.deepEqual(sorted(found), sorted(ACCESS));
});

for (const route of DASHBOARD_ROUTES) {
  if (route.role === "anyone") continue;
  const name = `${route.method} ${route.path}`;
  const { method, needsProof } = route;
  test(`${name} ${needsProof ? "refuses" : "takes"} a session whose proof is 10 minutes old`, async () => {
    const maker = SAMPLES[name];
    assert.ok(maker);
    const { member } = account.members.owner;
    const caller = await newSession(fixture, member, {
      provenAtMs: fixture.clock.nowMs() - FRESH_MS,
    });
    const { path, body = {} } = await maker.make({ fixture, account, caller });
    const answer = await callDashboard(fixture, {
      method,
      path,
      cookie: caller.cookie,
      ...(method !== "GET" && { body }),
    });
    if (needsProof)
      assert.deepEqual([answer.status, answer.body.error?.code], [403, "step_up_needed"]);
    else assert.equal(answer.status, maker.status ?? 200);
  });
}
