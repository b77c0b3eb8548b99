import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import {
  callDashboard,
  newAccount,
  newMember,
  newSession,
  PASSWORD,
} from "@stile/testkit/contract/dashboard";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";

const fixture = await startInProcess();
after(() => fixture.stop());
const account = await newAccount(fixture);
const MINUTE_MS = 60_000;

function signIn(
  body: { email: string; password: string },
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  return callDashboard(fixture, { method: "POST", path: "sign-in", body, headers });
}

/** The Set-Cookie values: of the session, and of the browser that is now known. */
function setCookiesOf({ headers }: ApiAnswer): readonly string[] {
  const header: unknown = headers["set-cookie"];
  assert.ok(Array.isArray(header));
  return header;
}

function setCookieOf(answer: ApiAnswer): string {
  return setCookiesOf(answer)[0] ?? "";
}

/** The Cookie header that a browser then sends. */
function cookieOf(answer: ApiAnswer): string {
  return setCookieOf(answer).split(";")[0] ?? "";
}

const PUBLIC = { host: "stile.example", origin: "https://stile.example" } as const;
const SESSION = /^__Host-stile=([\w-]{43}); Path=\/; Secure; HttpOnly; SameSite=Lax$/;
const DEVICE =
  /^__Host-stile-device=[\w-]{80,400}; Max-Age=7776000; Path=\/; Secure; HttpOnly; SameSite=Strict$/;
/** The same pattern for a browser that asks over http on the machine itself. */
const plain = (pattern: RegExp): RegExp =>
  new RegExp(pattern.source.replace("__Host-", "").replace("Secure; ", ""));

for (const [where, headers, as] of [
  ["over https", PUBLIC, (pattern: RegExp) => pattern],
  ["on the machine itself", {}, plain],
] as const) {
  test(`${where} sets a cookie for this host alone at sign-in, out of reach of scripts, and puts the token in no body`, async () => {
    const { email } = await newMember(fixture, account.accountId, "viewer");
    const answer = await signIn({ email, password: PASSWORD }, headers);
    assert.equal(answer.status, 200);
    const [session = "", device = ""] = setCookiesOf(answer);
    assert.match(device, as(DEVICE));
    const token = as(SESSION).exec(session)?.[1] ?? assert.fail(session);
    assert.deepEqual(answer.body.data, {});
    for (const path of ["me", "me/sessions"]) {
      const { status, body } = await callDashboard(fixture, {
        path,
        cookie: cookieOf(answer),
        headers,
      });
      assert.equal(status, 200);
      assert.ok(!JSON.stringify(body).includes(token));
    }
  });
}

test("rejects elsewhere a session from the machine itself, because another host may have planted its cookie", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const cookie = cookieOf(await signIn({ email, password: PASSWORD }));
  assert.equal((await callDashboard(fixture, { path: "me", cookie })).status, 200);
  assert.equal((await callDashboard(fixture, { path: "me", cookie, headers: PUBLIC })).status, 401);
});

test("rejects a planted session behind a proxy without Host, because a page's reads name their origin", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const cookie = cookieOf(await signIn({ email, password: PASSWORD }));
  const readFrom = async (page: string): Promise<number> =>
    (
      await callDashboard(fixture, {
        path: "me",
        cookie,
        headers: { referer: `${page}/dashboard/sites?x=1` },
      })
    ).status;
  assert.equal(await readFrom("https://stile.example"), 401);
  assert.equal(await readFrom(fixture.baseUrl.replace("http:", "https:")), 401);
  assert.equal(await readFrom(fixture.baseUrl), 200);
});

test("tells anybody that there is no owner yet, and nothing else; pages of other origins get nothing (D16, operator)", async () => {
  const empty = await startInProcess();
  try {
    assert.deepEqual((await callDashboard(empty, { path: "sign-in" })).body.data, {
      hasMember: false,
    });
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    assert.equal((await callDashboard(empty, { path: "sign-in", headers })).status, 403);
    await newAccount(empty);
    assert.deepEqual((await callDashboard(empty, { path: "sign-in" })).body.data, {
      hasMember: true,
    });
  } finally {
    await empty.stop();
  }
});

test("sets no cookie at a refused sign-in, and answers an unknown email like a wrong password", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const wrong = await signIn({ email, password: "not the password of anybody" });
  const unknown = await signIn({ email: "nobody@example.org", password: PASSWORD });
  for (const answer of [wrong, unknown]) {
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error?.code, "wrong_credentials");
    assert.equal(answer.headers["set-cookie"], undefined);
  }
  assert.equal(wrong.body.error?.message, unknown.body.error?.message);
  assert.deepEqual(Object.keys(wrong.headers).sort(), Object.keys(unknown.headers).sort());
});

test("never takes over a planted session cookie at sign-in, and never makes it a session", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const planted = `__Host-stile=${"A".repeat(43)}`;
  const answer = await callDashboard(fixture, {
    method: "POST",
    path: "sign-in",
    body: { email, password: PASSWORD },
    cookie: planted,
  });
  assert.equal(answer.status, 200);
  assert.notEqual(cookieOf(answer), planted);
  assert.equal((await callDashboard(fixture, { path: "me", cookie: planted })).status, 401);
});

test("keeps two sign-ins as two sessions; signing out ends one of them and clears its cookie", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const first = cookieOf(await signIn({ email, password: PASSWORD }));
  const second = cookieOf(await signIn({ email, password: PASSWORD }));
  assert.notEqual(first, second);
  const answer = await callDashboard(fixture, {
    method: "POST",
    path: "sign-out",
    body: {},
    cookie: first,
  });
  const names = setCookiesOf(answer).map((line) => line.split("; Path")[0]);
  assert.deepEqual(
    names,
    ["stile=; Max-Age=0", "__Host-stile=; Max-Age=0"],
    "the browser stays known",
  );
  assert.equal((await callDashboard(fixture, { path: "me", cookie: first })).status, 401);
  assert.equal((await callDashboard(fixture, { path: "me", cookie: second })).status, 200);
});

test("refuses to sign in over http from another machine, because the browser would drop the cookie", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  for (const host of ["192.168.1.5:8787", "stile.example", "localhost.evil.example:8787"]) {
    const headers = { host, origin: `http://${host}` };
    const answer = await signIn({ email, password: PASSWORD }, headers);
    assert.deepEqual([answer.status, answer.body.error?.code], [403, "insecure_connection"], host);
    assert.equal(answer.headers["set-cookie"], undefined);
    const body = { token: "t", email, name: "N", password: PASSWORD };
    const link = await callDashboard(fixture, {
      method: "POST",
      path: "link/accept",
      body,
      headers,
    });
    assert.equal(link.body.error?.code, "insecure_connection");
  }
  for (const [host, origin] of [
    ["stile.example", "https://stile.example"],
    ["localhost:8787", "http://localhost:8787"],
    ["[::1]:8787", "http://[::1]:8787"],
  ] as const) {
    assert.equal(
      (await signIn({ email, password: PASSWORD }, { host, origin })).status,
      200,
      origin,
    );
  }
});

test("asks for a proof before risky changes once the last one is 10 minutes old, to the millisecond", async () => {
  const { owner } = account.members;
  const { cookie } = await newSession(fixture, owner.member);
  const rotate = () =>
    callDashboard(fixture, {
      method: "POST",
      path: `sites/${account.site.siteKey}/rotate`,
      body: {},
      cookie,
    });
  fixture.clock.advance(10 * MINUTE_MS - 1);
  assert.equal((await rotate()).status, 200);
  fixture.clock.advance(1);
  const before = await fixture.store.sites.findSite(account.site.siteKey);
  const refused = await rotate();
  assert.deepEqual([refused.status, refused.body.error?.code], [403, "step_up_needed"]);
  assert.deepEqual(await fixture.store.sites.findSite(account.site.siteKey), before);
  const prove = (password: string) =>
    callDashboard(fixture, { method: "POST", path: "prove", body: { password }, cookie });
  assert.equal((await prove("not the password of anybody")).body.error?.code, "wrong_credentials");
  assert.equal((await rotate()).status, 403);
  assert.equal((await prove(PASSWORD)).status, 200);
  assert.equal((await rotate()).status, 200);
  const { body } = await callDashboard(fixture, { path: "me", cookie });
  assert.equal(body.data.freshUntilMs, fixture.clock.nowMs() + 10 * MINUTE_MS);
});

test("shows a member the service's limits for a site without limits of its own (D10, limits)", async () => {
  const { cookie } = await newSession(fixture, account.members.viewer.member);
  const { body } = await callDashboard(fixture, { path: "me", cookie });
  assert.deepEqual(body.data.defaultLimits, { verifyPerMinute: 1000, scorePerMinute: 500 });
});

test("ends a session after 30 minutes without a call", async () => {
  const { cookie } = await newSession(fixture, account.members.viewer.member);
  fixture.clock.advance(30 * MINUTE_MS - 1);
  assert.equal((await callDashboard(fixture, { path: "me", cookie })).status, 200);
  fixture.clock.advance(30 * MINUTE_MS + 1);
  assert.equal(
    (await callDashboard(fixture, { path: "me", cookie })).body.error?.code,
    "not_signed_in",
  );
});

test("asks a stranger for work with a sentence, and asks none of a browser that signed in before", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const body = { email, password: PASSWORD, puzzle: undefined };
  const refused = await callDashboard(fixture, { method: "POST", path: "sign-in", body });
  assert.deepEqual([refused.status, refused.body.error?.code], [403, "puzzle_needed"]);
  assert.match(refused.body.error?.message ?? "", /Reload it/);
  const device = setCookiesOf(await signIn({ email, password: PASSWORD }))[1]?.split(";")[0];
  const known = await callDashboard(fixture, {
    method: "POST",
    path: "sign-in",
    body,
    cookie: device,
  });
  assert.equal(known.status, 200);
  const twice = `${device}; ${device}`;
  const planted = await callDashboard(fixture, {
    method: "POST",
    path: "sign-in",
    body,
    cookie: twice,
  });
  assert.equal(planted.status, 403, "two such cookies are both ignored");
});

test("makes the browser known at sign-in on the machine itself, whatever it has under the names of https", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const body = { email, password: PASSWORD };
  const jar = new Map([
    ["__Host-stile", "A".repeat(43)],
    ["__Host-stile-device", "A".repeat(80)],
  ]);
  const cookie = () => [...jar].map((pair) => pair.join("=")).join("; ");
  const first = await callDashboard(fixture, {
    method: "POST",
    path: "sign-in",
    body,
    cookie: cookie(),
  });
  for (const line of setCookiesOf(first)) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (line.includes("Max-Age=0;")) jar.delete(name);
    else jar.set(name, value);
  }
  const unpaid = { ...body, puzzle: undefined };
  const again = await callDashboard(fixture, {
    method: "POST",
    path: "sign-in",
    body: unpaid,
    cookie: cookie(),
  });
  assert.equal(again.status, 200);
  assert.equal((await callDashboard(fixture, { path: "me", cookie: cookie() })).status, 200);
});

test("slows guessing down: a 429 says when to come back", async () => {
  const { email } = await newMember(fixture, account.accountId, "viewer");
  const from = "127.9.9.9";
  let answer: ApiAnswer | undefined;
  for (let i = 0; i < 12; i++) {
    const body = { email, password: `guess number ${i}` };
    answer = await callDashboard(fixture, { method: "POST", path: "sign-in", body, from });
  }
  assert.equal(answer?.status, 429);
  assert.equal(answer.body.error?.code, "rate_limited");
  assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/);
});

test("makes links to the address of the browser that asked, with the token in the fragment", async () => {
  const { cookie } = await newSession(fixture, account.members.owner.member);
  const answer = await callDashboard(fixture, {
    method: "POST",
    path: "members",
    body: { role: "developer" },
    cookie,
  });
  const url = new URL(String(answer.body.data.url));
  assert.equal(`${url.origin}${url.pathname}${url.search}`, `${fixture.baseUrl}/dashboard/link`);
  const token = url.hash.slice(1);
  const opened = await callDashboard(fixture, { method: "POST", path: "link", body: { token } });
  assert.equal(opened.body.data.role, "developer");
  const body = { token, email: "new@example.org", name: "New", password: PASSWORD };
  const taken = await callDashboard(fixture, { method: "POST", path: "link/accept", body });
  assert.equal(taken.status, 200, JSON.stringify(taken.body));
  assert.ok(!JSON.stringify(taken.body).includes(cookieOf(taken).slice("stile=".length)));
  const me = await callDashboard(fixture, { path: "me", cookie: cookieOf(taken) });
  assert.deepEqual((me.body.data.user as { role: string }).role, "developer");
  const again = await callDashboard(fixture, { method: "POST", path: "link/accept", body });
  assert.deepEqual([again.status, again.body.error?.code], [404, "link_expired"]);
});

test("describes the running service on the system page, without a secret", async () => {
  const { cookie } = await newSession(fixture, account.members.admin.member);
  const { body } = await callDashboard(fixture, { path: "system", cookie });
  assert.equal(body.data.isDemoOn, true);
  assert.equal(body.data.baseUrl, fixture.baseUrl);
  const keys = body.data.serviceKeys as Record<string, unknown>[];
  assert.deepEqual(
    keys.map((key) => Object.keys(key).sort()),
    [["createdAtMs", "isCurrent", "keyId"]],
  );
  assert.equal(keys[0]?.isCurrent, true);
});
