import assert from "node:assert/strict";
import { test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import {
  callDashboard,
  newAccount,
  newSession,
  PASSWORD,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { SAMPLES } from "@stile/testkit/contract/dashboard-samples";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { DASHBOARD_ROUTES } from "./routes.ts";

/**
 * Created before the first test is defined. Tests start while a file still awaits, so the run could
 * end before it knows later tests.
 */
const scenes: { fixture: ServiceFixture; account: TestAccount }[] = [];
for (const fixture of await startFixtures({ STILE_DEMO: "off" })) {
  scenes.push({ fixture, account: await newAccount(fixture) });
}

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** Bodies that are refused before any route sees them, with the status. */
const BROKEN_BODIES: readonly (readonly [string, string | Uint8Array, number])[] = [
  ["nothing", "", 400],
  ["no JSON", "{", 400],
  ["an array", "[]", 400],
  ["null", "null", 400],
  ["too deep", deep(9), 400],
  ["a name twice", '{"name":"a","name":"b"}', 400],
  ["a name twice, spelled in another way", '{"name":"a","n\\u0061me":"b"}', 400],
  ["a prototype", '{"__proto__":{"role":"owner"}}', 400],
  ["a constructor", '{"constructor":{"prototype":{}}}', 400],
  ["no UTF-8", Uint8Array.of(123, 34, 255, 34, 58, 49, 125), 400],
];
/** One KiB more than the route accepts. */
const tooLarge = ({ bodyLimit }: (typeof DASHBOARD_ROUTES)[number]): string =>
  JSON.stringify({ name: "x".repeat(bodyLimit.bytes + 1024) });

/** Values of every type, to replace each field. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  "",
  "\0",
  "\ud800",
  "x".repeat(5000),
  [],
  [null],
  {},
  { length: 3 },
  ["a", { b: [] }],
];

for (const { fixture, account } of scenes) {
  const owner = account.members.owner;

  for (const route of DASHBOARD_ROUTES) {
    const { method, path: pattern } = route;
    if (method === "GET") continue;
    test(`${method} ${pattern}: no body breaks it (${fixture.name})`, async () => {
      const maker = SAMPLES[`${method} ${pattern}`];
      assert.ok(maker);
      for (const [name, body, status] of [
        ...BROKEN_BODIES,
        ["too large", tooLarge(route), 413] as const,
      ]) {
        const { path } = await maker.make({ fixture, account, caller: owner });
        const headers = { "content-type": "application/json" };
        const answer = await callDashboard(fixture, {
          method,
          path,
          body,
          cookie: owner.cookie,
          headers,
        });
        assert.equal(answer.status, status, name);
      }
      const { body: right = {} } = await maker.make({ fixture, account, caller: owner });
      for (const field of Object.keys(right)) {
        for (const value of WRONG_VALUES) {
          const { path, body } = await maker.make({ fixture, account, caller: owner });
          const { cookie } = await newSession(fixture, account.members.owner.member);
          const answer = await callDashboard(fixture, {
            method,
            path,
            body: { ...body, [field]: value },
            cookie,
          });
          assert.ok(answer.status < 500, `${field} = ${JSON.stringify(value)}: ${answer.status}`);
        }
      }
    });
  }

  test(`reads or refuses queries of every kind, without a fault (${fixture.name})`, async () => {
    const { siteKey } = account.site;
    const now = fixture.ports.clock.nowMs();
    const queries = [
      "outcome",
      "outcome?range=2h",
      "scores?range=__proto__",
      "scores?timeZone=UTC",
      `scores?from=${now}`,
      `outcome?to=${now}&range=`,
      `outcome?from=${now}&to=${now}`,
      `outcome?from=${now}&to=${now - 1}`,
      `outcome?range=24h&timeZone=${"x".repeat(5000)}`,
      `outcome?from=-1&to=${now}`,
      "outcome?from=NaN&to=Infinity",
      "outcome?from=1e3&to=2e3",
      "outcome?from=1&from=2&to=3",
      "outcome?range=1h&range=24h",
      "scores?from=%00&to=%ff",
      "decisions?show=maybe",
      `decisions?before=${"1".repeat(5000)}`,
    ];
    for (const query of queries) {
      const answer = await callDashboard(fixture, {
        path: `sites/${siteKey}/${query}`,
        cookie: owner.cookie,
      });
      assert.equal(answer.status, 400, query);
    }
    for (const query of [
      "outcome?from=0&to=99999999999999",
      `outcome?from=0&to=${now}&timeZone=Mars/Olympus`,
      "outcome?range=90d&timeZone=Mars/Olympus",
      "scores?from=0&to=99999999999999",
      "decisions?before=', --",
      "decisions?requestId=%00",
      "decisions?__proto__=1",
      "install?x=1",
    ]) {
      const answer = await callDashboard(fixture, {
        path: `sites/${siteKey}/${encodeURI(query)}`,
        cookie: owner.cookie,
      });
      assert.equal(answer.status, 200, query);
    }
  });

  test(`answers 404 for an unknown address and 405 for a wrong method, signed in or not (${fixture.name})`, async () => {
    for (const cookie of [undefined, owner.cookie]) {
      for (const path of [
        "",
        "nothing",
        "me/",
        "/me",
        "sites/a%2Fb",
        "me/sessions/a/b",
        "__proto__",
      ]) {
        const answer = await callApi(fixture.baseUrl, {
          method: "GET",
          path: `/dashboard/api/${path}`,
          headers: cookie ? { cookie } : {},
        });
        assert.equal(answer.body.error?.code, "not_found", path);
      }
      const { status, headers } = await callDashboard(fixture, {
        method: "PUT",
        path: "me",
        body: {},
        cookie,
      });
      assert.equal(status, 405);
      assert.deepEqual(headers.allow?.split(", ").sort(), ["GET", "PATCH"]);
    }
  });

  test(`ignores fields that a route does not name (${fixture.name})`, async () => {
    const other = await newAccount(fixture);
    const { siteKey } = account.site;
    const body = {
      revision: 1,
      theme: "dark",
      accountId: other.accountId,
      siteKey: "pk_x",
      secretKeys: [],
      deletedAtMs: 1,
    };
    const before = await fixture.store.sites.findSite(siteKey);
    const answer = await callDashboard(fixture, {
      method: "PATCH",
      path: `sites/${siteKey}`,
      body,
      cookie: owner.cookie,
    });
    assert.equal(answer.status, 200);
    const after = await fixture.store.sites.findSite(siteKey);
    assert.deepEqual(after, { ...before, theme: "dark", revision: 2 });
    const { member, cookie } = await newSession(fixture, account.members.viewer.member);
    const profile = {
      name: "V",
      email: member.email,
      role: "owner",
      userId: "usr_x",
      accountId: other.accountId,
    };
    assert.equal(
      (await callDashboard(fixture, { method: "PATCH", path: "me", body: profile, cookie })).status,
      200,
    );
    const { role, userId, accountId } =
      (await fixture.store.members.findMember(member.userId)) ?? {};
    assert.deepEqual(
      { role, userId, accountId },
      { role: "viewer", userId: member.userId, accountId: account.accountId },
    );
  });

  test(`asks for the typed name to delete a site (${fixture.name})`, async () => {
    const path = `sites/${account.site.siteKey}`;
    const { cookie } = owner;
    const wrong = await callDashboard(fixture, {
      method: "DELETE",
      path,
      body: { name: "another" },
      cookie,
    });
    assert.deepEqual([wrong.status, wrong.body.error?.code], [400, "invalid_input"]);
    assert.equal((await callDashboard(fixture, { path, cookie })).status, 200);
  });

  test(`never shows what it stores of keys, passwords and sessions (${fixture.name})`, async () => {
    const { accountId } = account;
    const sites = await fixture.store.sites.listSites(accountId);
    const members = await fixture.store.members.listMembers(accountId);
    const secrets = [
      ...sites.flatMap(({ secretKeys }) => secretKeys.map(({ digest }) => digest)),
      ...members.map(({ passwordHash }) => passwordHash ?? ""),
      ...Object.values(account.members).map(({ session }) => session.tokenDigest),
      account.site.secretKey,
    ].filter((secret) => secret !== "");
    assert.ok(secrets.length >= 4);
    for (const { method, path: pattern } of DASHBOARD_ROUTES) {
      const maker = SAMPLES[`${method} ${pattern}`];
      if (method !== "GET" || maker === undefined) continue;
      const { path } = await maker.make({ fixture, account, caller: owner });
      const { body, status } = await callDashboard(fixture, { path, cookie: owner.cookie });
      assert.equal(status, maker.status ?? 200);
      const text = JSON.stringify(body);
      for (const secret of secrets) assert.ok(!text.includes(secret), path);
    }
  });

  test(`redirects the service's address to the dashboard without the demo (${fixture.name})`, async () => {
    const response = await fetch(fixture.baseUrl, { redirect: "manual" });
    assert.equal(response.headers.get("location"), "/dashboard");
    const page = await fetch(`${fixture.baseUrl}/dashboard/sites`);
    assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    const script = /src="(\/dashboard\/assets\/[^"]+)"/.exec(await page.text())?.[1];
    assert.equal((await fetch(fixture.baseUrl + script)).status, 200);
    assert.equal((await fetch(`${fixture.baseUrl}/dashboard/assets/nothing.js`)).status, 404);
  });

  test(`names nothing of the dashboard in the public description (spec 1; ${fixture.name})`, async () => {
    const response = await fetch(`${fixture.baseUrl}/api/v1/openapi.json`);
    assert.doesNotMatch(await response.text(), /dashboard/i);
  });

  test(`lists the mistakes of a body field by field (${fixture.name})`, async () => {
    const body = { name: 7, domains: ["a", 1] };
    const answer = await callDashboard(fixture, {
      method: "POST",
      path: "sites",
      body,
      cookie: owner.cookie,
    });
    const error = answer.body.error as
      | { code?: string; problems?: { field: string }[] }
      | undefined;
    assert.equal(error?.code, "invalid_input");
    assert.deepEqual(
      error?.problems?.map(({ field }) => field),
      ["name", "domains.1"],
    );
    assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(PASSWORD));
  });
}
