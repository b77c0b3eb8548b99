import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { hasLiveSecret } from "@stile/core/domain/site/site";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import {
  callDashboard,
  type DashboardCall,
  newAccount,
  newMember,
  newSession,
  PASSWORD,
} from "@stile/testkit/contract/dashboard";
import { type StoreEngine, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { type ProxyMode, startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";

/**
 * The service in memory, and one with PostgreSQL behind a proxy that can lose the answer to COMMIT.
 */
const memory = await startInProcess();
const server = await startPostgres({ isDurable: false });
const proxy = await startProxy();
const url = new URL(server.createDatabase("changes"));
url.port = `${proxy.port}`;
const POSTGRES: StoreEngine = {
  name: "PostgreSQL",
  open: () => openPostgresStore({ url: url.href }),
};
const postgres = await startInProcess({}, POSTGRES);
after(async () => {
  await postgres.stop();
  await memory.stop();
  await proxy.stop();
  await server.stop();
});

/**
 * Passes COMMIT on to the database and loses the answer, once armed and once the transaction wrote
 * an audit entry.
 */
async function startProxy() {
  let state: "idle" | "armed" | "written" = "idle";
  const onAsked = (question: Buffer): void => {
    if (state === "armed" && question.includes("audit_entries (")) state = "written";
    if (state === "written" && question.includes("COMMIT")) {
      state = "idle";
      started.setMode("deaf" satisfies ProxyMode);
    }
  };
  const started = await startTcpProxy(server.port, { onAsked });
  return {
    ...started,
    loseNextCommit: (): void => {
      state = "armed";
    },
  };
}

const newChangeId = (): string => randomBytes(16).toString("hex");

type Fixture = typeof memory;

/** Sends a change with its id, as the dashboard does. */
function sendChange(fixture: Fixture, changeId: string, call: DashboardCall): Promise<ApiAnswer> {
  return callDashboard(fixture, {
    method: "POST",
    body: {},
    ...call,
    headers: { "idempotency-key": changeId },
  });
}

/**
 * The answer to a change that PostgreSQL commits although its answer is lost, and the answer to its
 * repeat.
 */
async function loseAnswer(call: DashboardCall): Promise<{ lost: ApiAnswer; repeated: ApiAnswer }> {
  const changeId = newChangeId();
  proxy.loseNextCommit();
  const lost = await sendChange(postgres, changeId, call);
  proxy.setMode("pass");
  postgres.clock.advance(5_000);
  let repeated = await sendChange(postgres, changeId, call);
  // The store refuses calls at once until it has found the database again.
  while (repeated.status === 503) repeated = await sendChange(postgres, changeId, call);
  return { lost, repeated };
}

function assertMaybeMade({ status, body }: ApiAnswer): void {
  assert.equal(status, 503);
  assert.match(body.error?.message ?? "", /may have been saved\. It is safe to repeat it\./);
}

async function actionsOf({ store }: Fixture, accountId: string): Promise<string[]> {
  return (await store.auditLog.list(accountId, { limit: 100 })).map(({ action }) => action);
}

function countOf(actions: readonly string[], action: string): number {
  return actions.filter((other) => other === action).length;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

type WithSecret = { readonly secretKey: string; readonly site: { readonly siteKey: string } };

/** The site as stored, after checking that the secret in the answer is its current key. */
async function siteWithSecret({ store, clock }: Fixture, { status, body }: ApiAnswer) {
  assert.equal(status, 200, JSON.stringify(body));
  const { secretKey, site } = body.data as unknown as WithSecret;
  const stored = (await store.sites.findSite(site.siteKey)) ?? assert.fail("no site");
  assert.ok(hasLiveSecret(stored, digestOf(secretKey), clock.nowMs()), "the shown key works");
  assert.equal(stored.secretKeys.at(-1)?.digest, digestOf(secretKey), "and it is the current one");
  return stored;
}

test("repeats a rotation whose answer was lost without another rotation or a new grace period (D16, operator)", async () => {
  const { accountId, site, members } = await newAccount(postgres);
  const rotatedAtMs = postgres.clock.nowMs();
  const path = `sites/${site.siteKey}/rotate`;
  const { lost, repeated } = await loseAnswer({ path, cookie: members.admin.cookie });
  assertMaybeMade(lost);
  const stored = await siteWithSecret(postgres, repeated);
  assert.deepEqual(
    stored.secretKeys.map(({ replacedAtMs }) => replacedAtMs),
    [rotatedAtMs, null],
    "the key in use keeps its grace, and the unseen key is gone",
  );
  assert.equal(countOf(await actionsOf(postgres, accountId), "secret_rotated"), 1);
});

test("creates an unconfirmed site once, and its repeat shows a secret that works (D16, operator)", async () => {
  const { accountId, members } = await newAccount(postgres);
  const body = { name: "Lost shop", domains: ["lost.example"] };
  const { lost, repeated } = await loseAnswer({
    path: "sites",
    body,
    cookie: members.developer.cookie,
  });
  assertMaybeMade(lost);
  const stored = await siteWithSecret(postgres, repeated);
  assert.equal(stored.secretKeys.length, 1);
  const sites = await postgres.store.sites.listSites(accountId);
  assert.equal(sites.filter(({ name }) => name === "Lost shop").length, 1);
  assert.equal(
    countOf(await actionsOf(postgres, accountId), "site_created"),
    2,
    "the account's first site, and this one",
  );
});

test("shows a working secret for a restored site whose answer was lost (D16, operator)", async () => {
  const { accountId, site, members } = await newAccount(postgres);
  const { siteKey } = site;
  const name = (await postgres.store.sites.findSite(siteKey))?.name;
  const { cookie } = members.admin;
  const deletion = await loseAnswer({
    method: "DELETE",
    path: `sites/${siteKey}`,
    body: { name },
    cookie,
  });
  assertMaybeMade(deletion.lost);
  assert.equal(deletion.repeated.status, 200, "the repeat of a deletion is confirmed");
  const { lost, repeated } = await loseAnswer({ path: `sites/${siteKey}/restore`, cookie });
  assertMaybeMade(lost);
  const stored = await siteWithSecret(postgres, repeated);
  assert.equal(stored.secretKeys.length, 1);
  const actions = await actionsOf(postgres, accountId);
  assert.deepEqual([countOf(actions, "site_deleted"), countOf(actions, "site_restored")], [1, 1]);
});

test("keeps one invitation and one reset link after lost answers, and the repeat shows the working link (D16, operator)", async () => {
  const { accountId, members } = await newAccount(postgres);
  const { cookie } = members.admin;
  for (const [path, body, action] of [
    ["members", { role: "viewer" }, "member_invited"],
    [
      `members/${members.viewer.member.userId}/reset`,
      { removeSecondFactors: false },
      "reset_link_made",
    ],
  ] as const) {
    const { lost, repeated } = await loseAnswer({ path, body, cookie });
    assertMaybeMade(lost);
    assert.equal(repeated.status, 200, JSON.stringify(repeated.body));
    const token = new URL(String(repeated.body.data.url)).hash.slice(1);
    assert.ok(
      await postgres.store.links.findLink(digestOf(token)),
      `${path}: the shown link works`,
    );
    assert.equal(countOf(await actionsOf(postgres, accountId), action), 1);
  }
  const open = await postgres.store.links.listLinks(accountId, postgres.clock.nowMs());
  assert.equal(open.length, 1, "one invitation");
});

test("repeats lost recovery codes and a lost new password without another change (D16, operator)", async () => {
  const { accountId } = await newAccount(postgres);
  const totp = { sealedSecret: new Uint8Array(16), lastStep: 0 };
  const member = await newMember(postgres, accountId, "developer", { totp });
  const { cookie } = await newSession(postgres, member);
  const codes = await loseAnswer({ path: "me/recovery-codes", cookie });
  assertMaybeMade(codes.lost);
  assert.equal(codes.repeated.status, 200, JSON.stringify(codes.repeated.body));
  const { recoveryCodes } = codes.repeated.body.data as unknown as { recoveryCodes: string[] };
  const stored = await postgres.store.members.findMember(member.userId);
  assert.deepEqual([recoveryCodes.length, stored?.recoveryCodes.length], [10, 10]);
  assert.equal(countOf(await actionsOf(postgres, accountId), "recovery_codes_made"), 1);

  const body = { password: "nine green lanterns on a hill", currentPassword: PASSWORD };
  const change = await loseAnswer({ path: "me/password", body, cookie });
  assertMaybeMade(change.lost);
  assert.equal(change.repeated.status, 200, "the current password of the repeat is the former one");
  assert.equal(countOf(await actionsOf(postgres, accountId), "password_changed"), 1);
});

test("confirms a save whose answer was lost, although the revision in it is old (D16, operator)", async () => {
  const { site, members } = await newAccount(postgres);
  const { siteKey } = site;
  const revision = (await postgres.store.sites.findSite(siteKey))?.revision ?? 0;
  const body = { revision, theme: "dark" };
  const call = {
    method: "PATCH",
    path: `sites/${siteKey}`,
    body,
    cookie: members.developer.cookie,
  } as const;
  const { lost, repeated } = await loseAnswer(call);
  assertMaybeMade(lost);
  assert.equal(repeated.status, 200, JSON.stringify(repeated.body));
  assert.equal(repeated.body.data.revision, revision + 1);
});

test("never calls an unanswered read a change", async () => {
  const { members } = await newAccount(postgres);
  proxy.setMode("cut");
  const read = () => callDashboard(postgres, { path: "sites", cookie: members.viewer.cookie });
  const { status, body } = await read();
  proxy.setMode("pass");
  while ((await read()).status === 503);
  assert.equal(status, 503);
  assert.doesNotMatch(body.error?.message ?? "", /change/);
});

/**
 * Rotates twice with these ids and callers. Returns how many rotations happened and the status of
 * the second.
 */
async function rotateTwice(
  second: Partial<DashboardCall> & { changeId?: string; afterMs?: number },
) {
  const { accountId, site, members } = await newAccount(memory);
  const path = `sites/${site.siteKey}/rotate`;
  const changeId = newChangeId();
  assert.equal(
    (await sendChange(memory, changeId, { path, cookie: members.admin.cookie })).status,
    200,
  );
  memory.clock.advance(second.afterMs ?? 1_000);
  const { changeId: otherId = changeId, afterMs, ...over } = second;
  const otherSession = await newSession(memory, members.admin.member);
  const cookies: Record<string, string> = {
    "other member": members.owner.cookie,
    "other session": otherSession.cookie,
  };
  const cookie = cookies[over.cookie ?? ""] ?? members.admin.cookie;
  const { status, body } = await sendChange(memory, otherId, { path, ...over, cookie });
  const rotations = countOf(await actionsOf(memory, accountId), "secret_rotated");
  return { status, rotations, message: body.error?.message ?? "" };
}

test("binds an id to one session, body and address; with any other it names another change (D16, operator)", async () => {
  assert.deepEqual((await rotateTwice({})).rotations, 1, "the same request is a repeat");
  for (const second of [
    { cookie: "other member" },
    { cookie: "other session" },
    { body: { a: 1 } },
    { changeId: newChangeId() },
  ]) {
    const { status, rotations } = await rotateTwice(second);
    assert.deepEqual([status, rotations], [200, 2], JSON.stringify(second));
  }
});

test("repeats a change for 30 minutes; later its id reveals no further secret (D16, operator)", async () => {
  // By then, the session's proof of identity is older than ten minutes, so this uses a route that
  // needs none.
  const { members } = await newAccount(memory);
  const call = {
    path: "sites",
    body: { name: "Late", domains: ["late.example"] },
    cookie: members.developer.cookie,
  };
  const changeId = newChangeId();
  const first = await siteWithSecret(memory, await sendChange(memory, changeId, call));
  for (const minutes of [14, 15]) {
    memory.clock.advance(minutes * 60_000);
    const again = await siteWithSecret(memory, await sendChange(memory, changeId, call));
    assert.equal(again.siteKey, first.siteKey);
  }
  memory.clock.advance(60_000);
  const { status, body } = await sendChange(memory, changeId, call);
  assert.equal(status, 409);
  assert.match(body.error?.message ?? "", /more than 30 minutes ago\. Reload the page/);
});

test("never replaces a key that somebody made later by a repeat (D16, operator)", async () => {
  const { site, members } = await newAccount(memory);
  const path = `sites/${site.siteKey}/rotate`;
  const changeId = newChangeId();
  await sendChange(memory, changeId, { path, cookie: members.admin.cookie });
  memory.clock.advance(1_000);
  const later = await siteWithSecret(
    memory,
    await sendChange(memory, newChangeId(), { path, cookie: members.owner.cookie }),
  );
  const { status, body } = await sendChange(memory, changeId, {
    path,
    cookie: members.admin.cookie,
  });
  assert.equal(status, 409);
  assert.match(body.error?.message ?? "", /changed the site since then\. Reload the page/);
  assert.deepEqual(
    (await memory.store.sites.findSite(later.siteKey))?.secretKeys,
    later.secretKeys,
  );
});

test("makes a new invitation with a new entry if a repeat names a withdrawn one (D16, operator)", async () => {
  const { accountId, members } = await newAccount(memory);
  const call = { path: "members", body: { role: "viewer" }, cookie: members.admin.cookie };
  const changeId = newChangeId();
  await sendChange(memory, changeId, call);
  const [open] = await memory.store.links.listLinks(accountId, memory.clock.nowMs());
  const path = `invitations/${open?.linkId}`;
  assert.equal(
    (await callDashboard(memory, { method: "DELETE", path, body: {}, cookie: call.cookie })).status,
    200,
  );
  assert.equal((await sendChange(memory, changeId, call)).status, 200);
  assert.equal(countOf(await actionsOf(memory, accountId), "member_invited"), 2);
});

test("refuses an id that could be guessed, and changes nothing (D16, operator)", async () => {
  for (const changeId of [
    "1",
    "x".repeat(21),
    "x".repeat(65),
    `${newChangeId()} `.padEnd(40, "é"),
  ]) {
    const { status, rotations } = await rotateTwice({ changeId });
    assert.deepEqual([status, rotations], [400, 1], changeId);
  }
});
