import type { Members, MemberWrite } from "@stile/core/ports/account/members";
import type { DatabaseConnections } from "../engine/database.ts";
import { inTurn } from "../engine/in-turn.ts";
import { writeAudit } from "./postgres-audit-log.ts";
import { MEMBER_READER as reader, MEMBER_WRITER as rows } from "./postgres-member-rows.ts";

const REMOVE_LINKS = "DELETE FROM links WHERE user_id = $1";

/** Members in PostgreSQL. */
export function createPostgresMembers(calls: DatabaseConnections): Members {
  const selectDemand = `SELECT demands_second_factor AS "isDemanded" FROM accounts WHERE account_id = $1`;
  const updateDemand =
    "UPDATE accounts SET demands_second_factor = $1 WHERE account_id = $2 AND demands_second_factor <> $1";
  const removeBareSessions = `DELETE FROM sessions WHERE session_id <> $1 AND user_id IN
    (SELECT user_id FROM members WHERE account_id = $2 AND totp_secret IS NULL)`;
  return {
    findMember: (userId) => reader.findMember(calls.read, userId),
    findMemberByEmail: (email) => reader.findMemberByEmail(calls.read, email),
    findMemberByPasskey: (passkeyId) => reader.findMemberByPasskey(calls.read, passkeyId),
    listMembers: (accountId) => reader.listMembers(calls.read, accountId),
    replaceMember: (member, expectedRevision, entry, onlySessionId) =>
      inTurn(calls, async (query): Promise<MemberWrite> => {
        const stored = await reader.findMember(query, member.userId);
        if (stored?.revision !== expectedRevision || (await rows.hasForeignPasskey(query, member)))
          return "conflict";
        if (await rows.isEmailTaken(query, member)) return "email_taken";
        if (member.role !== "owner" && (await rows.isLastOwner(query, stored))) return "last_owner";
        await rows.updateMember(query, member);
        if (onlySessionId !== undefined) {
          await rows.endSessions(query, member.userId, onlySessionId);
          await query(REMOVE_LINKS, [member.userId]);
        }
        await writeAudit(query, entry);
        return "stored";
      }),
    isSecondFactorDemanded: async (accountId) => {
      const { rows: found } = await calls.read<{ isDemanded: boolean }>(selectDemand, [accountId]);
      return found[0]?.isDemanded ?? false;
    },
    setSecondFactorDemand: (accountId, isDemanded, keptSessionId, entry) =>
      inTurn(calls, async (query) => {
        if ((await query(updateDemand, [isDemanded, accountId])).count === 0) return false;
        if (isDemanded) await query(removeBareSessions, [keptSessionId, accountId]);
        await writeAudit(query, entry);
        return true;
      }),
    removeMember: (userId, expectedRevision, entry) =>
      inTurn(calls, async (query): Promise<MemberWrite> => {
        const stored = await reader.findMember(query, userId);
        if (stored?.revision !== expectedRevision) return "conflict";
        if (await rows.isLastOwner(query, stored)) return "last_owner";
        await rows.endSessions(query, userId);
        await query(REMOVE_LINKS, [userId]);
        await query("DELETE FROM members WHERE user_id = $1", [userId]);
        await writeAudit(query, entry);
        return "stored";
      }),
  };
}
