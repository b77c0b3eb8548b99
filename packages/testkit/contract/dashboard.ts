import { createHash, randomBytes } from "node:crypto";
import { type AuditEntry, OPERATOR } from "@stile/core/domain/account/audit";
import type { Member } from "@stile/core/domain/account/member";
import type { Session } from "@stile/core/domain/account/session";
import type { Role } from "@stile/protocol/roles";
import { withWork } from "../minting/puzzle-solving.ts";
import { type ApiAnswer, type ApiCall, callApi } from "./call.ts";
import type { ServiceFixture } from "./service-fixtures.ts";
import { newSite, type TestSite } from "./sites.ts";

/** The password of every member that tests make. */
export const PASSWORD = "pale otters count nine lanterns";

/** A member with a session of its own, and the Cookie header of its browser. */
export type SignedInMember = {
  readonly member: Member;
  readonly session: Session;
  readonly cookie: string;
};

/** One call by a page of the dashboard; `cookie` is absent if nobody is signed in. */
export type DashboardCall = Omit<ApiCall, "path"> & {
  /** Relative to /dashboard/api/, with its query. */
  readonly path: string;
  readonly cookie?: string | undefined;
};

/**
 * The password's hash at the cost of real users' hashes, for tests of this work; see PASSWORD_HASH.
 */
export const FULL_COST_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$5cHeagjJ3NkD02bBZex74w$aRMxt2P3rBkw0bmLIHJSLQt80Xy7bBZA/kXhGawMBeI";

/**
 * The same at the least cost: the service checks a hash at the cost that is written in it. Both are
 * stored here, since computing one at each start would take long.
 */
const PASSWORD_HASH =
  "$argon2id$v=19$m=64,t=1,p=1$/w3X1TGpcdGdwx9PU+x63Q$ttIkZnfBCX1r/MjgNoKxKDTPVk+Z4tZz0dNRJJcRkH4";

function unique(length = 6): string {
  return randomBytes(length).toString("hex");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Sign-in attempts are counted by address, so each attempt of a test comes from another one. */
function otherAddress(): string {
  return `127.${[...randomBytes(3)].map((byte) => 1 + (byte % 250)).join(".")}`;
}

/**
 * Calls a private endpoint as a page of the dashboard does, including the work before a sign-in;
 * `headers` replace headers that a browser sends, or remove them if empty.
 */
export async function callDashboard(
  fixture: Pick<ServiceFixture, "baseUrl">,
  call: DashboardCall,
): Promise<ApiAnswer> {
  const { path, cookie, headers, method = "GET", ...rest } = call;
  const own = {
    ...(method !== "GET" && { origin: fixture.baseUrl }),
    "sec-fetch-site": "same-origin",
    ...(cookie && { cookie }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ""));
  const from = call.from ?? (/^(sign-in|link)/.test(path) ? otherAddress() : "127.0.0.1");
  const send = (path: string, body: DashboardCall["body"]) =>
    callApi(fixture.baseUrl, {
      ...rest,
      from,
      method,
      path: `/dashboard/api/${path}`,
      headers: sent,
      body,
    });
  return send(path, await withWork(path, call.body, send));
}

/** An audit entry that explains where a test's member came from. */
function entryOf(fixture: ServiceFixture, accountId: string): AuditEntry {
  const atMs = fixture.ports.clock.nowMs();
  return {
    accountId,
    atMs,
    actor: OPERATOR,
    action: "member_joined",
    subject: "a member",
    siteKey: null,
    changes: [],
  };
}

/** Makes a member of the account, as if it had accepted an invitation. */
export async function newMember(
  fixture: ServiceFixture,
  accountId: string,
  role: Role,
  more: Partial<Member> = {},
): Promise<Member> {
  const nowMs = fixture.ports.clock.nowMs();
  const id = unique();
  const member: Member = {
    userId: `usr_${id}`,
    accountId,
    email: `${role}-${id}@example.org`,
    name: `${role} ${id}`,
    role,
    passwordHash: PASSWORD_HASH,
    totp: null,
    passkeys: [],
    recoveryCodes: [],
    createdAtMs: nowMs,
    lastSignInAtMs: null,
    revision: 1,
    ...more,
  };
  const tokenDigest = digestOf(unique());
  const life = {
    removesSecondFactors: false,
    madeBy: null,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 60_000,
  };
  const link = {
    linkId: `lnk_${id}`,
    tokenDigest,
    purpose: "invite",
    accountId,
    userId: null,
    role,
    ...life,
  } as const;
  await fixture.store.links.insertLink(link);
  const outcome = await fixture.store.links.join(
    tokenDigest,
    nowMs,
    member,
    entryOf(fixture, accountId),
  );
  if (outcome !== "stored") throw new Error(`the member was not created: ${outcome}`);
  return member;
}

/** Gives a member one more signed-in browser. */
export async function newSession(
  fixture: ServiceFixture,
  member: Member,
  more: Partial<Session> = {},
): Promise<SignedInMember> {
  const nowMs = fixture.ports.clock.nowMs();
  const token = randomBytes(32).toString("base64url");
  const session: Session = {
    sessionId: `ses_${unique()}`,
    tokenDigest: digestOf(token),
    userId: member.userId,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    provenAtMs: nowMs,
    device: "Firefox on Linux",
    ...more,
  };
  const current = await fixture.store.members.findMember(member.userId);
  if (current === undefined) throw new Error(`there is no member ${member.userId}`);
  const entry = entryOf(fixture, member.accountId);
  const after = { ...current, revision: current.revision + 1 };
  const outcome = await fixture.store.sessions.startSession(
    session,
    after,
    current.revision,
    entry,
  );
  if (outcome !== "stored") throw new Error(`the session was not begun: ${outcome}`);
  return { member, session, cookie: `__Host-stile=${token}` };
}

/** An account with a site and a signed-in member of each role. */
export type TestAccount = {
  readonly accountId: string;
  readonly site: TestSite;
  readonly members: Readonly<Record<Role, SignedInMember>>;
};

/** Makes such an account. */
export async function newAccount(fixture: ServiceFixture): Promise<TestAccount> {
  const site = await newSite(fixture);
  const { accountId } = site;
  const join = async (role: Role): Promise<SignedInMember> =>
    newSession(fixture, await newMember(fixture, accountId, role));
  const owner = await join("owner");
  const members = {
    owner,
    admin: await join("admin"),
    developer: await join("developer"),
    viewer: await join("viewer"),
  };
  return { accountId, site, members };
}
