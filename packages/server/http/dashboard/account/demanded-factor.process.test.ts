import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR } from "@stile/core/domain/account/audit";
import {
  callDashboard,
  newAccount,
  newSession,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { SAMPLES } from "@stile/testkit/contract/dashboard-samples";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import type { Route } from "../route.ts";
import { DASHBOARD_ROUTES } from "../routes.ts";

/**
 * The calls of a member before they have the second factor that the account demands. Written a
 * second time, so that a slip in the table is noticed.
 */
const OPEN_WITHOUT = [
  "GET me",
  "POST sign-out",
  "POST prove",
  "POST prove/passkey/options",
  "POST prove/passkey",
  "POST me/totp",
  "POST me/totp/confirm",
  "POST me/passkeys/options",
  "POST me/passkeys",
];

/**
 * Created before the first test is defined. Tests start while a file still awaits, so the run could
 * end before it knows later tests.
 */
const scenes: { fixture: ServiceFixture; account: TestAccount }[] = [];
for (const fixture of await startFixtures({ STILE_DEMO: "off" })) {
  const account = await newAccount(fixture);
  const { accountId } = account;
  const entry = {
    accountId,
    atMs: 0,
    actor: OPERATOR,
    action: "account_changed",
    subject: "",
    siteKey: null,
  } as const;
  await fixture.store.members.setSecondFactorDemand(accountId, true, "", { ...entry, changes: [] });
  scenes.push({ fixture, account });
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/**
 * Makes the route's sample call as the account's owner, with an app or without any second factor.
 */
async function callAsOwner(
  { fixture, account }: (typeof scenes)[number],
  route: Route,
  hasApp: boolean,
) {
  const { members } = fixture.store;
  const { userId } = account.members.owner.member;
  const stored = await members.findMember(userId);
  assert.ok(stored);
  const totp = hasApp ? { sealedSecret: Uint8Array.of(1), lastStep: 1 } : null;
  await members.replaceMember({ ...stored, totp, revision: stored.revision + 1 }, stored.revision);
  const caller = await newSession(fixture, stored);
  const sample = SAMPLES[nameOf(route)];
  assert.ok(sample);
  const { path, body = {} } = await sample.make({ fixture, account, caller });
  const { method } = route;
  return callDashboard(fixture, {
    method,
    path,
    cookie: caller.cookie,
    ...(method !== "GET" && { body }),
  });
}

for (const scene of scenes) {
  for (const route of DASHBOARD_ROUTES) {
    if (route.role === "anyone") continue;
    const isOpen = OPEN_WITHOUT.includes(nameOf(route));
    test(`${nameOf(route)}: ${isOpen ? "open" : "closed"} to a member without the demanded second factor (${scene.fixture.name})`, async () => {
      const refused = await callAsOwner(scene, route, false);
      if (isOpen) assert.notEqual(refused.body.error?.code, "second_factor_demanded");
      else
        assert.deepEqual(
          [refused.status, refused.body.error?.code],
          [403, "second_factor_demanded"],
        );
      // The last app can't be removed while a factor is demanded. Another route makes that refusal.
      if (nameOf(route) === "DELETE me/totp" || nameOf(route) === "PUT account/second-factor")
        return;
      const admitted = await callAsOwner(scene, route, true);
      assert.notEqual(admitted.body.error?.code, "second_factor_demanded");
    });
  }
}
