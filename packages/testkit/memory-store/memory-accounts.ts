import type { AuditEntry } from "@stile/core/domain/account/audit";
import { countPlaces, isBacked, type Link } from "@stile/core/domain/account/link";
import type { Member } from "@stile/core/domain/account/member";
import { type Session, sessionExpiresAtMs } from "@stile/core/domain/account/session";
import type { Links, LinkUse } from "@stile/core/ports/account/links";
import type { Members, MemberWrite } from "@stile/core/ports/account/members";
import type { Sessions } from "@stile/core/ports/account/sessions";

type WriteAudit = (entry: AuditEntry | undefined) => void;

/** Members, sessions and links by their ids, in one place since one step may change all three. */
type Tables = {
  readonly members: Map<string, Member>;
  readonly sessions: Map<string, Session>;
  readonly links: Map<string, Link>;
  /** Tries counted at the second factor of a link, by the link's id. */
  readonly tries: Map<string, number>;
  /** Accounts that demand a second factor. */
  readonly demands: Set<string>;
};

function removeWhere<Row>(table: Map<string, Row>, isGone: (row: Row) => boolean): number {
  const before = table.size;
  for (const [id, row] of table) if (isGone(row)) table.delete(id);
  return before - table.size;
}

function findWhere<Row>(table: Map<string, Row>, isIt: (row: Row) => boolean): Row | undefined {
  return [...table.values()].find(isIt);
}

function inOrder(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b);
}

function hasForeignPasskey({ members }: Tables, { userId, passkeys }: Member): boolean {
  const others = [...members.values()].filter((other) => other.userId !== userId);
  const taken = new Set(
    others.flatMap((other) => other.passkeys.map(({ passkeyId }) => passkeyId)),
  );
  return passkeys.some(({ passkeyId }) => taken.has(passkeyId));
}

function isEmailTaken({ members }: Tables, { userId, email }: Member): boolean {
  return (
    findWhere(members, (other) => other.email === email && other.userId !== userId) !== undefined
  );
}

function isLastOwner({ members }: Tables, { role, accountId, userId }: Member): boolean {
  const isOtherOwner = (other: Member): boolean =>
    other.accountId === accountId && other.role === "owner" && other.userId !== userId;
  return role === "owner" && findWhere(members, isOtherOwner) === undefined;
}

function createMembers(tables: Tables, writeAudit: WriteAudit): Members {
  const { members, sessions, links, demands } = tables;
  return {
    findMember: async (userId) => members.get(userId),
    findMemberByEmail: async (email) => findWhere(members, (member) => member.email === email),
    findMemberByPasskey: async (passkeyId) =>
      findWhere(members, ({ passkeys }) =>
        passkeys.some((passkey) => passkey.passkeyId === passkeyId),
      ),
    listMembers: async (accountId) =>
      [...members.values()]
        .filter((member) => member.accountId === accountId)
        .sort((a, b) => inOrder(a.name, b.name) || inOrder(a.email, b.email)),
    replaceMember: async (member, expectedRevision, entry, onlySessionId): Promise<MemberWrite> => {
      const { userId } = member;
      const stored = members.get(userId);
      if (stored?.revision !== expectedRevision || hasForeignPasskey(tables, member))
        return "conflict";
      if (isEmailTaken(tables, member)) return "email_taken";
      if (member.role !== "owner" && isLastOwner(tables, stored)) return "last_owner";
      members.set(userId, member);
      if (onlySessionId !== undefined) {
        removeWhere(
          sessions,
          (session) => session.userId === userId && session.sessionId !== onlySessionId,
        );
        removeWhere(links, (link) => link.userId === userId);
      }
      writeAudit(entry);
      return "stored";
    },
    isSecondFactorDemanded: async (accountId) => demands.has(accountId),
    setSecondFactorDemand: async (accountId, isDemanded, keptSessionId, entry) => {
      if (demands.has(accountId) === isDemanded) return false;
      if (isDemanded) demands.add(accountId);
      else demands.delete(accountId);
      const isBare = (userId: string): boolean => {
        const member = members.get(userId);
        return member?.accountId === accountId && member.totp === null;
      };
      if (isDemanded)
        removeWhere(
          sessions,
          ({ userId, sessionId }) => sessionId !== keptSessionId && isBare(userId),
        );
      writeAudit(entry);
      return true;
    },
    removeMember: async (userId, expectedRevision, entry): Promise<MemberWrite> => {
      const stored = members.get(userId);
      if (stored?.revision !== expectedRevision) return "conflict";
      if (isLastOwner(tables, stored)) return "last_owner";
      members.delete(userId);
      removeWhere(sessions, (session) => session.userId === userId);
      removeWhere(links, (link) => link.userId === userId);
      writeAudit(entry);
      return "stored";
    },
  };
}

function createSessions({ members, sessions }: Tables, writeAudit: WriteAudit): Sessions {
  return {
    startSession: async (session, member, expectedRevision, entry) => {
      if (members.get(member.userId)?.revision !== expectedRevision) return "conflict";
      members.set(member.userId, member);
      sessions.set(session.sessionId, session);
      writeAudit(entry);
      return "stored";
    },
    findSession: async (tokenDigest) =>
      findWhere(sessions, (session) => session.tokenDigest === tokenDigest),
    listSessions: async (userId) =>
      [...sessions.values()]
        .filter((session) => session.userId === userId)
        .sort((a, b) => b.lastSeenAtMs - a.lastSeenAtMs || inOrder(a.sessionId, b.sessionId)),
    touchSession: async (sessionId, { lastSeenAtMs, provenAtMs = 0 }) => {
      const session = sessions.get(sessionId);
      if (session === undefined) return;
      sessions.set(sessionId, {
        ...session,
        lastSeenAtMs: Math.max(session.lastSeenAtMs, lastSeenAtMs),
        provenAtMs: Math.max(session.provenAtMs, provenAtMs),
      });
    },
    removeSession: async (userId, sessionId, entry) => {
      if (sessions.get(sessionId)?.userId !== userId) return false;
      sessions.delete(sessionId);
      writeAudit(entry);
      return true;
    },
    removeOtherSessions: async (userId, keptSessionId, entry) => {
      const ended = removeWhere(
        sessions,
        (session) => session.userId === userId && session.sessionId !== keptSessionId,
      );
      if (ended > 0) writeAudit(entry);
      return ended;
    },
    prune: async (nowMs) =>
      removeWhere(sessions, (session) => sessionExpiresAtMs(session) <= nowMs),
  };
}

function createLinks(tables: Tables, writeAudit: WriteAudit): Links {
  const { members, sessions, links, tries } = tables;
  const findByToken = (tokenDigest: string): Link | undefined =>
    findWhere(links, (link) => link.tokenDigest === tokenDigest);
  const findLiving = (tokenDigest: string, nowMs: number): Link | undefined => {
    const link = findByToken(tokenDigest);
    if (link === undefined || nowMs >= link.expiresAtMs) return undefined;
    return isBacked(link, members.get(link.madeBy ?? "")) ? link : undefined;
  };
  const listLiving = (accountId: string, nowMs: number): readonly Link[] =>
    [...links.values()]
      .filter(
        (link) =>
          link.accountId === accountId && nowMs < link.expiresAtMs && link.purpose !== "reset",
      )
      .sort((a, b) => b.createdAtMs - a.createdAtMs || inOrder(a.linkId, b.linkId));
  const isObsolete = ({ purpose, accountId }: Link): boolean =>
    purpose === "setup" &&
    findWhere(members, (member) => member.accountId === accountId) !== undefined;

  return {
    insertLink: async (link, entry, most = Number.POSITIVE_INFINITY) => {
      const isRepeat = links.get(link.linkId)?.accountId === link.accountId;
      if (!isRepeat && most < Number.POSITIVE_INFINITY) {
        const ofAccount = [...members.values()].filter(
          ({ accountId }) => accountId === link.accountId,
        );
        if (countPlaces(listLiving(link.accountId, link.createdAtMs), ofAccount) >= most)
          return false;
      }
      const isFormer = ({ accountId, purpose, userId }: Link): boolean =>
        accountId === link.accountId && purpose === link.purpose && userId === link.userId;
      if (link.purpose !== "invite") removeWhere(links, isFormer);
      links.set(link.linkId, link);
      if (!isRepeat) writeAudit(entry);
      return true;
    },
    findLink: async (tokenDigest) => findByToken(tokenDigest),
    listLinks: async (accountId, nowMs) => listLiving(accountId, nowMs),
    removeLink: async (accountId, linkId, entry) => {
      if (links.get(linkId)?.accountId !== accountId) return false;
      links.delete(linkId);
      writeAudit(entry);
      return true;
    },
    countTry: async (tokenDigest, most) => {
      const link = findByToken(tokenDigest);
      const counted = tries.get(link?.linkId ?? "") ?? 0;
      if (link === undefined || counted >= most) return false;
      tries.set(link.linkId, counted + 1);
      return true;
    },
    join: async (tokenDigest, nowMs, member, entry): Promise<LinkUse> => {
      const link = findLiving(tokenDigest, nowMs);
      if (link === undefined || isObsolete(link)) return "link_gone";
      if (isEmailTaken(tables, member)) return "email_taken";
      links.delete(link.linkId);
      members.set(member.userId, member);
      writeAudit(entry);
      return "stored";
    },
    reset: async (tokenDigest, nowMs, member, expectedRevision, entry): Promise<LinkUse> => {
      const link = findLiving(tokenDigest, nowMs);
      if (link === undefined) return "link_gone";
      if (members.get(member.userId)?.revision !== expectedRevision) return "conflict";
      links.delete(link.linkId);
      members.set(member.userId, member);
      removeWhere(sessions, (session) => session.userId === member.userId);
      writeAudit(entry);
      return "stored";
    },
    prune: async (nowMs) => removeWhere(links, (link) => link.expiresAtMs <= nowMs),
  };
}

/**
 * Members, sessions and links in the memory of this process; `writeAudit` is called within the step
 * it records.
 */
export function createMemoryAccounts(writeAudit: WriteAudit): {
  readonly members: Members;
  readonly sessions: Sessions;
  readonly links: Links;
} {
  const tables: Tables = {
    members: new Map(),
    sessions: new Map(),
    links: new Map(),
    tries: new Map(),
    demands: new Set(),
  };
  return {
    members: createMembers(tables, writeAudit),
    sessions: createSessions(tables, writeAudit),
    links: createLinks(tables, writeAudit),
  };
}
