import assert from "node:assert/strict";
import { test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import {
  callDashboard,
  newAccount,
  newSession,
  type SignedInMember,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { SAMPLES } from "@stile/testkit/contract/dashboard-samples";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { DASHBOARD_ROUTES } from "./routes.ts";

/**
 * Created before the first test is defined. Tests start while a file still awaits, so the run could
 * end before it knows later tests.
 */
const scenes: { fixture: ServiceFixture; account: TestAccount; owner: SignedInMember }[] = [];
for (const fixture of await startFixtures({ STILE_DEMO: "off" })) {
  const account = await newAccount(fixture);
  scenes.push({ fixture, account, owner: await newSession(fixture, account.members.owner.member) });
}
const WRITES = DASHBOARD_ROUTES.filter(({ method }) => method !== "GET");

/** Headers of a write from elsewhere; "" removes a header. */
const FORGERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a foreign Origin": { origin: "https://evil.example" },
  "a foreign port": { origin: "http://127.0.0.1:1" },
  "the other scheme": { origin: "https://127.0.0.1" },
  "a name that begins like ours": { origin: "http://127.0.0.1.evil.example" },
  "a user before our name": { origin: "http://evil.example@127.0.0.1" },
  "the Origin null": { origin: "null" },
  "no Origin": { origin: "" },
  "no Origin, and our Referer": { origin: "", referer: "http://127.0.0.1/dashboard" },
  "Sec-Fetch-Site cross-site": { "sec-fetch-site": "cross-site" },
  "Sec-Fetch-Site same-site": { "sec-fetch-site": "same-site" },
  "Sec-Fetch-Site none": { "sec-fetch-site": "none" },
};

/** Media types that a form or page of another site can send without a preflight. */
const FORM_TYPES = [
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "text/plain; application/json",
];

/** All stored data of an account. */
async function snapshot(
  { store }: ServiceFixture,
  { accountId, members }: TestAccount,
): Promise<string> {
  const sessions = [];
  for (const { member } of Object.values(members))
    sessions.push(await store.sessions.listSessions(member.userId));
  return JSON.stringify({
    sites: await store.sites.listSites(accountId),
    members: await store.members.listMembers(accountId),
    links: await store.links.listLinks(accountId, 0),
    audit: await store.auditLog.list(accountId, { limit: 1000 }),
    sessions,
  });
}

for (const { fixture, account, owner } of scenes) {
  for (const { method, path: pattern } of WRITES) {
    test(`${method} ${pattern}: no other site can make the owner's browser send it (${fixture.name})`, async () => {
      const maker = SAMPLES[`${method} ${pattern}`];
      assert.ok(maker);
      const { path, body = {} } = await maker.make({ fixture, account, caller: owner });
      const before = await snapshot(fixture, account);
      for (const [name, headers] of Object.entries(FORGERIES)) {
        const answer = await callDashboard(fixture, {
          method,
          path,
          body,
          cookie: owner.cookie,
          headers,
        });
        assert.equal(answer.status, 403, name);
        assert.equal(answer.body.error?.code, "foreign_origin", name);
      }
      for (const type of FORM_TYPES) {
        const headers = { "content-type": type };
        const answer = await callDashboard(fixture, {
          method,
          path,
          body,
          cookie: owner.cookie,
          headers,
        });
        assert.equal(answer.status, 415, type);
      }
      const bare = await callDashboard(fixture, { method, path, cookie: owner.cookie });
      assert.equal(bare.status, 415, "no body and no media type");
      assert.equal(await snapshot(fixture, account), before, "nothing was changed");
    });
  }

  test(`refuses reads from pages of other sites, and accepts typed ones (${fixture.name})`, async () => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "", origin: "https://evil.example" },
    ]) {
      const answer = await callDashboard(fixture, { path: "me", cookie: owner.cookie, headers });
      assert.equal(answer.body.error?.code, "foreign_origin");
    }
    for (const headers of [{ "sec-fetch-site": "none" }, { "sec-fetch-site": "" }]) {
      assert.equal(
        (await callDashboard(fixture, { path: "me", cookie: owner.cookie, headers })).status,
        200,
      );
    }
  });

  test(`grants other origins nothing at any dashboard address: no CORS header, no preflight (${fixture.name})`, async () => {
    const origin = "https://evil.example";
    for (const { path } of DASHBOARD_ROUTES) {
      for (const method of ["OPTIONS", "GET", "POST"]) {
        const headers = { origin, "access-control-request-method": "POST" };
        const answer = await callApi(fixture.baseUrl, {
          method,
          path: `/dashboard/api/${path}`,
          headers,
        });
        const granted = Object.keys(answer.headers).filter((name) =>
          name.startsWith("access-control-"),
        );
        assert.deepEqual(granted, [], `${method} ${path}`);
        assert.equal(answer.headers["cross-origin-resource-policy"], "same-origin");
        if (method === "OPTIONS") assert.ok([404, 405].includes(answer.status));
      }
    }
  });
}
