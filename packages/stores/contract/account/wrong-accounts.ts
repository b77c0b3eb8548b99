import { setImmediate as nextTurn } from "node:timers/promises";
import type { Link } from "@stile/core/domain/account/link";
import type { Member } from "@stile/core/domain/account/member";
import type { Session } from "@stile/core/domain/account/session";
import type { Links } from "@stile/core/ports/account/links";
import type { Members } from "@stile/core/ports/account/members";
import type { Sessions } from "@stile/core/ports/account/sessions";
import type { Store } from "@stile/core/ports/store";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";

/**
 * Accounts with the usual mistake: each write reads, lets other work run, and then trusts what it
 * read.
 */
export function createWrongAccounts(): Store {
  const store = createMemoryStore();
  const members = new Map<string, Member>();
  const links = new Map<string, Link>();
  const tries = new Map<string, number>();
  const sessions = new Map<string, Session>();
  const { auditLog } = store;

  const isTaken = ({ email, userId }: Member): boolean =>
    [...members.values()].some((other) => other.email === email && other.userId !== userId);
  const isLastOwner = (userId: string): boolean =>
    members.get(userId)?.role === "owner" &&
    ![...members.values()].some((other) => other.role === "owner" && other.userId !== userId);

  const wrongMembers: Members = {
    ...store.members,
    findMember: async (userId) => members.get(userId),
    listMembers: async () => [...members.values()],
    replaceMember: async (member, expectedRevision, entry) => {
      const isCurrent = members.get(member.userId)?.revision === expectedRevision;
      const [hasTakenEmail, isLast] = [isTaken(member), isLastOwner(member.userId)];
      await nextTurn();
      if (!isCurrent) return "conflict";
      if (hasTakenEmail) return "email_taken";
      if (isLast && member.role !== "owner") return "last_owner";
      members.set(member.userId, member);
      if (entry !== undefined) await auditLog.append(entry);
      return "stored";
    },
    removeMember: async (userId) => {
      const isLast = isLastOwner(userId);
      await nextTurn();
      if (isLast) return "last_owner";
      members.delete(userId);
      return "stored";
    },
  };

  const wrongLinks: Links = {
    ...store.links,
    insertLink: async (link, _entry, most = Number.POSITIVE_INFINITY) => {
      const places = members.size + links.size;
      await nextTurn();
      if (places >= most) return false;
      links.set(link.tokenDigest, link);
      return true;
    },
    removeLink: async (_accountId, linkId) => {
      const link = [...links.values()].find((candidate) => candidate.linkId === linkId);
      await nextTurn();
      if (link === undefined) return false;
      links.delete(link.tokenDigest);
      return true;
    },
    countTry: async (tokenDigest, most) => {
      const counted = tries.get(tokenDigest) ?? 0;
      await nextTurn();
      if (counted >= most) return false;
      tries.set(tokenDigest, counted + 1);
      return true;
    },
    join: async (tokenDigest, _nowMs, member, entry) => {
      const [isThere, hasTakenEmail] = [links.has(tokenDigest), isTaken(member)];
      await nextTurn();
      if (!isThere) return "link_gone";
      if (hasTakenEmail) return "email_taken";
      links.delete(tokenDigest);
      members.set(member.userId, member);
      await auditLog.append(entry);
      return "stored";
    },
    reset: async (tokenDigest, _nowMs, member) => {
      const isThere = links.has(tokenDigest);
      await nextTurn();
      if (!isThere) return "link_gone";
      links.delete(tokenDigest);
      members.set(member.userId, member);
      return "stored";
    },
  };

  const wrongSessions: Sessions = {
    ...store.sessions,
    startSession: async (session, member, expectedRevision) => {
      const isCurrent = members.get(member.userId)?.revision === expectedRevision;
      await nextTurn();
      if (!isCurrent) return "conflict";
      members.set(member.userId, member);
      sessions.set(session.sessionId, session);
      return "stored";
    },
    listSessions: async () => [...sessions.values()],
  };

  return { ...store, members: wrongMembers, links: wrongLinks, sessions: wrongSessions };
}
