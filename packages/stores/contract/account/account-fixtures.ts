import { randomBytes } from "node:crypto";
import type { AuditEntry } from "@stile/core/domain/account/audit";
import type { Link } from "@stile/core/domain/account/link";
import type { Member, Passkey } from "@stile/core/domain/account/member";
import type { Session } from "@stile/core/domain/account/session";
import type { Store } from "@stile/core/ports/store";
import { newAccount, T0 } from "../contract-fixtures.ts";

/** Unpredictable text, for ids and digests. */
function unique(): string {
  return randomBytes(12).toString("base64url");
}

/** A member of acc_1 with its own email and id; `over` replaces parts of it. */
export function newMember(over: Partial<Member> = {}): Member {
  const id = unique();
  return {
    userId: `usr_${id}`,
    accountId: "acc_1",
    email: `${id.toLowerCase()}@example.org`,
    name: `Member ${id}`,
    role: "viewer",
    passwordHash: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$dGFn",
    totp: null,
    passkeys: [],
    recoveryCodes: [],
    createdAtMs: T0,
    lastSignInAtMs: null,
    revision: 1,
    ...over,
  };
}

/** A passkey with its own id. */
export function newPasskey(over: Partial<Passkey> = {}): Passkey {
  return {
    passkeyId: unique(),
    name: "Schlüssel",
    publicKey: Uint8Array.of(0, 1, 254, 255),
    counter: 4_294_967_295,
    transports: ["internal", "hybrid"],
    createdAtMs: T0,
    lastUsedAtMs: null,
    ...over,
  };
}

/** A session of the member, begun at T0. */
export function newSession(member: Pick<Member, "userId">, over: Partial<Session> = {}): Session {
  return {
    sessionId: `ses_${unique()}`,
    tokenDigest: unique(),
    userId: member.userId,
    createdAtMs: T0,
    lastSeenAtMs: T0,
    provenAtMs: T0,
    device: "Chrome on Linux",
    ...over,
  };
}

/** An invitation to acc_1 that is valid for a minute. */
export function newLink(over: Partial<Link> = {}): Link {
  return {
    linkId: `lnk_${unique()}`,
    tokenDigest: unique(),
    purpose: "invite",
    accountId: "acc_1",
    userId: null,
    role: "viewer",
    removesSecondFactors: false,
    madeBy: null,
    createdAtMs: T0,
    expiresAtMs: T0 + 60_000,
    ...over,
  };
}

/** An entry of the audit log of acc_1. */
export function newEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    accountId: "acc_1",
    atMs: T0,
    actor: { userId: "usr_1", name: "ada@example.org" },
    action: "profile_changed",
    subject: "ada@example.org",
    siteKey: null,
    changes: [{ field: "name", before: "Ada", after: "A\"d'a" }],
    ...over,
  };
}

/**
 * Adds an account with these members to an empty store. Each joins by an invitation, as in
 * production.
 */
export async function seedMembers(
  store: Store,
  ...overs: readonly Partial<Member>[]
): Promise<readonly Member[]> {
  if ((await store.sites.findAccount("acc_1")) === undefined)
    await store.sites.insertAccount(newAccount());
  const members = overs.map((over) => newMember(over));
  for (const member of members) await join(store, member);
  return members;
}

async function join(store: Store, member: Member): Promise<void> {
  const link = newLink({ accountId: member.accountId });
  await store.links.insertLink(link);
  const outcome = await store.links.join(
    link.tokenDigest,
    T0,
    member,
    newEntry({ accountId: "acc_seed" }),
  );
  if (outcome !== "stored") throw new Error(`the member could not join: ${outcome}`);
}

/** The member one revision later, with this change. */
export function changed(member: Member, change: Partial<Member> = {}): Member {
  return { ...member, ...change, revision: member.revision + 1 };
}

/** Begins a session of the stored member, and returns it. */
export async function seedSession(
  store: Store,
  member: Member,
  over: Partial<Session> = {},
): Promise<Session> {
  const session = newSession(member, over);
  const stored = (await store.members.findMember(member.userId)) ?? member;
  const outcome = await store.sessions.startSession(
    ...([session, changed(stored), stored.revision, newEntry({ accountId: "acc_seed" })] as const),
  );
  if (outcome !== "stored") throw new Error(outcome);
  return session;
}

/** Subjects in the audit log of acc_1, oldest first. */
export async function subjectsOf(store: Store): Promise<readonly string[]> {
  return (await store.auditLog.list("acc_1", { limit: 100 }))
    .map(({ subject }) => subject)
    .reverse();
}
