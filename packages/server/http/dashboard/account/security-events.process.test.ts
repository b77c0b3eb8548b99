import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { subjectWords } from "@stile/dashboard/features/account/audit/audit-words";
import type { SystemData } from "@stile/protocol/dashboard-api";
import {
  AUDIT_ACTIONS,
  SECURITY_EVENTS,
  type SecurityEvent,
} from "@stile/protocol/dashboard-events";
import { callApi } from "@stile/testkit/contract/call";
import {
  callDashboard,
  FULL_COST_HASH,
  newAccount,
  newMember,
  newSession,
  PASSWORD,
  type TestAccount,
} from "@stile/testkit/contract/dashboard";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { DASHBOARD_ROUTES } from "../routes.ts";

const fixture = await startInProcess();
after(() => fixture.stop());
const witness = await newAccount(fixture);

/** A network that no other test uses. */
const someNetwork = (): string =>
  `127.${[...randomBytes(2)].map((byte) => 1 + (byte % 250)).join(".")}`;

function signIn(account: TestAccount, password: string, from: string, more: object = {}) {
  const { email } = account.members.viewer.member;
  return callDashboard(fixture, {
    method: "POST",
    path: "sign-in",
    body: { email, password, ...more },
    from,
  });
}

async function inTurn(
  count: number,
  act: (n: number) => Promise<{ readonly status: number }>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await act(n)).status);
  return statuses;
}

function prove({ members }: TestAccount, password: string) {
  return callDashboard(fixture, {
    method: "POST",
    path: "prove",
    body: { password },
    cookie: members.viewer.cookie,
  });
}

function redeemWithWrongKey(from: string) {
  const headers = { authorization: `Bearer sk_${randomBytes(16).toString("hex")}` };
  return callApi(fixture.baseUrl, {
    path: "/api/v1/token/verify",
    headers,
    body: { token: "none" },
    from,
  });
}

/** Makes each event happen in an account; returns how often. */
const PROVOKE: Readonly<Record<SecurityEvent, (account: TestAccount) => Promise<number>>> = {
  sign_in_failed: async (account) => {
    assert.equal((await signIn(account, "not the password", `${someNetwork()}.1`)).status, 401);
    return 1;
  },
  sign_in_limited: async (account) => {
    const network = someNetwork();
    const statuses = await inTurn(7, (n) =>
      signIn(account, "not the password", `${network}.${n + 1}`),
    );
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    return 2;
  },
  sign_in_unpaid: async (account) => {
    const answer = await signIn(account, PASSWORD, `${someNetwork()}.1`, { puzzle: undefined });
    assert.equal(answer.status, 403);
    return 1;
  },
  sign_in_crowded: async (account) => {
    // When a check takes as long as in production, attempts wait for one another.
    const { email } = await newMember(fixture, account.accountId, "viewer", {
      passwordHash: FULL_COST_HASH,
    });
    const attempts = Array.from({ length: 20 }, (_, n) =>
      signIn(account, PASSWORD, `127.201.${n}.1`, { email }),
    );
    const crowded = (await Promise.all(attempts)).filter(({ status }) => status === 429).length;
    assert.ok(crowded > 0);
    return crowded;
  },
  proof_failed: async (account) => {
    assert.equal((await prove(account, "not the password")).status, 401);
    return 1;
  },
  proof_limited: async (account) => {
    const statuses = await inTurn(11, () => prove(account, "not the password"));
    assert.deepEqual(statuses, [...Array(10).fill(401), 429]);
    return 1;
  },
  changes_limited: async ({ members }) => {
    const { cookie } = members.viewer;
    const statuses = await inTurn(1002, () =>
      callDashboard(fixture, { method: "DELETE", path: "me/sessions", body: {}, cookie }),
    );
    assert.deepEqual(statuses, [...Array(1000).fill(200), 429, 429]);
    // Reading still works, and so do signing out and another session.
    assert.equal((await callDashboard(fixture, { path: "me", cookie })).status, 200);
    assert.equal(
      (await callDashboard(fixture, { method: "POST", path: "sign-out", body: {}, cookie })).status,
      200,
    );
    const other = await newSession(fixture, members.viewer.member);
    const call = { method: "DELETE", path: "me/sessions", body: {}, cookie: other.cookie };
    assert.equal((await callDashboard(fixture, call)).status, 200);
    return 2;
  },
  role_denied: async ({ members }) => {
    const answer = await callDashboard(fixture, { path: "audit", cookie: members.viewer.cookie });
    assert.equal(answer.status, 403);
    return 1;
  },
  wrong_secret_key: async () => {
    assert.equal((await redeemWithWrongKey(`${someNetwork()}.1`)).status, 401);
    return 1;
  },
  wrong_secret_limited: async () => {
    const network = someNetwork();
    const statuses = await inTurn(65, () => redeemWithWrongKey(`${network}.1`));
    return statuses.filter((status) => status === 429).length;
  },
};

async function countOf(event: SecurityEvent): Promise<number> {
  const { body } = await callDashboard(fixture, {
    path: "system",
    cookie: witness.members.owner.cookie,
  });
  const { securityEvents } = body.data as unknown as SystemData;
  return securityEvents.find((counted) => counted.event === event)?.count ?? 0;
}

for (const event of Object.keys(SECURITY_EVENTS) as SecurityEvent[]) {
  const isOfAccount = Object.hasOwn(AUDIT_ACTIONS, event);
  test(`counts ${event} each time, and leaves ${isOfAccount ? "one line in" : "nothing in"} the audit log`, async () => {
    const account = await newAccount(fixture);
    const before = await countOf(event);
    const times = await PROVOKE[event](account);
    assert.ok(times > 0);
    assert.equal((await countOf(event)) - before, times);
    const entries = await fixture.store.auditLog.list(account.accountId, { limit: 100 });
    const lines = entries.filter(({ action }) => action === event);
    assert.equal(lines.length, isOfAccount ? 1 : 0);
    const text = JSON.stringify(lines);
    for (const secret of ["not the password", PASSWORD, "127."])
      assert.ok(!text.includes(secret), text);
    if (isOfAccount) assert.ok(text.includes(account.members.viewer.member.email), text);
  });
}

test("reports a refusal inside a route like one of the guard's: an admin who would remove an owner", async () => {
  const { accountId, members } = await newAccount(fixture);
  const path = `members/${members.owner.member.userId}`;
  const { cookie } = members.admin;
  assert.equal(
    (await callDashboard(fixture, { method: "DELETE", path, body: {}, cookie })).status,
    403,
  );
  const [newest] = await fixture.store.auditLog.list(accountId, { limit: 1 });
  assert.deepEqual([newest?.action, newest?.subject], ["role_denied", "DELETE members/:userId"]);
});

test("stops answering a member who tries many addresses, and records it for their account", async () => {
  const { accountId, members } = await newAccount(fixture);
  const { cookie, member } = members.viewer;
  const change = (email: string) =>
    callDashboard(fixture, {
      method: "PATCH",
      path: "me",
      body: { name: member.name, email },
      cookie,
    });
  const taken = await inTurn(5, () => change(members.owner.member.email));
  assert.deepEqual(taken, Array(5).fill(409));
  const further = [
    await change(members.owner.member.email),
    await change("nobody-has@example.org"),
  ];
  assert.deepEqual(
    further.map(({ status, body }) => [status, body.error?.message]),
    Array(2).fill([429, "You have tried several email addresses within an hour. Try again later."]),
  );
  assert.equal((await change(member.email)).status, 200);
  const [newest] = await fixture.store.auditLog.list(accountId, { limit: 1 });
  assert.deepEqual([newest?.action, newest?.subject], ["changes_limited", "PATCH me"]);
});

test("names each route that asks for a role in plain words in the audit log", () => {
  for (const route of DASHBOARD_ROUTES) {
    if (route.role === "anyone" || route.role === "viewer") continue;
    const name = `${route.method} ${route.path}`;
    assert.notEqual(subjectWords("role_denied", name), name);
    assert.ok(
      subjectWords("role_denied", `${name} (9 more times soon after)`).endsWith(
        " (9 more times soon after)",
      ),
    );
  }
});
