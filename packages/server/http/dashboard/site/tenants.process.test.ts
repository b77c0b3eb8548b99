import assert from "node:assert/strict";
import { test } from "node:test";
import { mayActAs, ROLES_IN_ORDER } from "@stile/protocol/roles";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import {
  callDashboard,
  newAccount,
  newSession,
  type SignedInMember,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { SAMPLES } from "@stile/testkit/contract/dashboard-samples";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import type { Route } from "../route.ts";
import { DASHBOARD_ROUTES } from "../routes.ts";

/**
 * Created before the first test is defined. Tests start while a file still awaits, so the run could
 * end before it knows later tests.
 */
const scenes: { fixture: ServiceFixture; account: TestAccount; foreign: TestAccount }[] = [];
for (const fixture of await startFixtures({ STILE_DEMO: "off" })) {
  scenes.push({ fixture, account: await newAccount(fixture), foreign: await newAccount(fixture) });
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

function sampleOf(route: Route) {
  const sample = SAMPLES[nameOf(route)];
  assert.ok(
    sample,
    `${nameOf(route)} has no sample call: add one, or nothing proves who may make it`,
  );
  return sample;
}

test("has a sample call for every route of the table, and a route for every sample", () => {
  assert.deepEqual(Object.keys(SAMPLES).sort(), DASHBOARD_ROUTES.map(nameOf).sort());
});

/**
 * Makes the route's sample call about objects of `account` as the caller. It uses a new session,
 * since some calls end it.
 */
async function callAs(
  fixture: ServiceFixture,
  route: Route,
  account: TestAccount,
  caller: SignedInMember,
): Promise<ApiAnswer> {
  const fresh = await newSession(fixture, caller.member);
  const { path, body = {} } = await sampleOf(route).make({ fixture, account, caller: fresh });
  const { method } = route;
  return callDashboard(fixture, {
    method,
    path,
    cookie: fresh.cookie,
    ...(method !== "GET" && { body }),
  });
}

/** All texts that could reveal that the account exists. */
async function canariesOf(
  fixture: ServiceFixture,
  { accountId }: TestAccount,
): Promise<readonly string[]> {
  const members = await fixture.store.members.listMembers(accountId);
  const sites = await fixture.store.sites.listSites(accountId);
  const links = await fixture.store.links.listLinks(accountId, 0);
  return [
    accountId,
    ...members.flatMap(({ userId, email, name }) => [userId, email, name]),
    ...sites.flatMap(({ siteKey, name, secretKeys }) => [
      siteKey,
      name,
      ...secretKeys.map(({ digest }) => digest),
    ]),
    ...links.map(({ linkId }) => linkId),
  ];
}

for (const { fixture, account, foreign } of scenes) {
  for (const route of DASHBOARD_ROUTES) {
    test(`${nameOf(route)}: each role gets the access in the table (${fixture.name})`, async () => {
      const { status: enough = 200 } = sampleOf(route);
      for (const role of ROLES_IN_ORDER) {
        const { status, body } = await callAs(fixture, route, account, account.members[role]);
        const isEnough = route.role === "anyone" || mayActAs(role, route.role);
        assert.equal(status, isEnough ? enough : 403, `${role}: ${JSON.stringify(body)}`);
        if (!isEnough) assert.equal(body.error?.code, "not_allowed");
      }
    });

    test(`${nameOf(route)}: a browser without a session gets nothing if one is needed (${fixture.name})`, async () => {
      const { owner } = account.members;
      const { path, body = {} } = await sampleOf(route).make({ fixture, account, caller: owner });
      const { method } = route;
      for (const cookie of [
        undefined,
        "__Host-stile=",
        `__Host-stile=${"A".repeat(43)}`,
        owner.cookie.slice(0, -1),
      ]) {
        const answer = await callDashboard(fixture, {
          method,
          path,
          cookie,
          ...(method !== "GET" && { body }),
        });
        const expected = route.role === "anyone" ? (sampleOf(route).status ?? 200) : 401;
        assert.equal(answer.status, expected);
        if (route.role !== "anyone") assert.equal(answer.body.error?.code, "not_signed_in");
      }
    });

    test(`${nameOf(route)}: the owner of another account finds and sees nothing (${fixture.name})`, async () => {
      const { status: enough = 200, namesThing } = sampleOf(route);
      const stranger = foreign.members.owner;
      const fresh = await newSession(fixture, stranger.member);
      const about = namesThing ? account : foreign;
      const { path, body = {} } = await sampleOf(route).make({
        fixture,
        account: about,
        caller: fresh,
      });
      const { method } = route;
      const answer = await callDashboard(fixture, {
        method,
        path,
        cookie: fresh.cookie,
        ...(method !== "GET" && { body }),
      });
      assert.equal(answer.status, namesThing ? 404 : enough, JSON.stringify(answer.body));
      const text = JSON.stringify(answer.body);
      for (const canary of await canariesOf(fixture, account))
        assert.ok(!text.includes(canary), canary);
    });
  }

  test(`answers for another member's session as for one that never existed (${fixture.name})`, async () => {
    const theirs = await newSession(fixture, foreign.members.owner.member);
    const colleague = await newSession(fixture, account.members.viewer.member);
    for (const role of ["owner", "admin"] as const) {
      const { cookie } = await newSession(fixture, account.members[role].member);
      for (const { session } of [theirs, colleague]) {
        const path = `me/sessions/${session.sessionId}`;
        const answer = await callDashboard(fixture, { method: "DELETE", path, cookie, body: {} });
        assert.equal(answer.status, 404);
      }
    }
    for (const { cookie } of [theirs, colleague]) {
      assert.equal((await callDashboard(fixture, { path: "me", cookie })).status, 200);
    }
  });

  test(`shows the texts of the search above to the account itself (${fixture.name})`, async () => {
    const { cookie } = await newSession(fixture, account.members.owner.member);
    const sites = JSON.stringify((await callDashboard(fixture, { path: "sites", cookie })).body);
    const members = JSON.stringify(
      (await callDashboard(fixture, { path: "members", cookie })).body,
    );
    assert.ok(sites.includes(account.site.siteKey));
    assert.ok(members.includes(account.members.viewer.member.email));
  });
}
