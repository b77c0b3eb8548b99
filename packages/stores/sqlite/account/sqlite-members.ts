import type { DatabaseSync } from "node:sqlite";
import type { Members, MemberWrite } from "@stile/core/ports/account/members";
import { readTogether } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";
import { createMemberReader, createMemberWriter } from "./member-rows.ts";
import { createAuditWriter } from "./sqlite-audit-log.ts";

/** Members in SQLite. */
export function createSqliteMembers(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): Members {
  const reader = createMemberReader(database);
  const rows = createMemberWriter(database);
  const audit = createAuditWriter(database);
  const selectDemand = prepareSelect<{ readonly isDemanded: number }>(
    database,
    "SELECT demands_second_factor AS isDemanded FROM accounts WHERE account_id = ?",
  );
  const updateDemand = database.prepare(
    "UPDATE accounts SET demands_second_factor = ?1 WHERE account_id = ?2 AND demands_second_factor <> ?1",
  );
  const removeBareSessions = database.prepare(
    `DELETE FROM sessions WHERE session_id <> ? AND user_id IN
      (SELECT user_id FROM members WHERE account_id = ? AND totp_secret IS NULL)`,
  );
  const removeLinks = database.prepare("DELETE FROM links WHERE user_id = ?");
  const read = <Answer>(query: () => Answer): Promise<Answer> => readTogether(database, query, now);
  return {
    findMember: (userId) => read(() => reader.findMember(userId)),
    findMemberByEmail: (email) => read(() => reader.findMemberByEmail(email)),
    findMemberByPasskey: (passkeyId) => read(() => reader.findMemberByPasskey(passkeyId)),
    listMembers: (accountId) => read(() => reader.listMembers(accountId)),
    replaceMember: (member, expectedRevision, entry, onlySessionId) =>
      writer.writeThrough((): MemberWrite => {
        const stored = reader.findMember(member.userId);
        if (stored?.revision !== expectedRevision || rows.hasForeignPasskey(member))
          return "conflict";
        if (rows.isEmailTaken(member)) return "email_taken";
        if (member.role !== "owner" && rows.isLastOwner(stored)) return "last_owner";
        rows.updateMember(member);
        if (onlySessionId !== undefined) {
          rows.endSessions(member.userId, onlySessionId);
          removeLinks.run(member.userId);
        }
        if (entry !== undefined) audit(entry);
        return "stored";
      }),
    isSecondFactorDemanded: (accountId) =>
      read(() => selectDemand.get(accountId)?.isDemanded === 1),
    setSecondFactorDemand: (accountId, isDemanded, keptSessionId, entry) =>
      writer.writeThrough(() => {
        if (updateDemand.run(Number(isDemanded), accountId).changes === 0) return false;
        if (isDemanded) removeBareSessions.run(keptSessionId, accountId);
        audit(entry);
        return true;
      }),
    removeMember: (userId, expectedRevision, entry) =>
      writer.writeThrough((): MemberWrite => {
        const stored = reader.findMember(userId);
        if (stored?.revision !== expectedRevision) return "conflict";
        if (rows.isLastOwner(stored)) return "last_owner";
        rows.endSessions(userId);
        removeLinks.run(userId);
        rows.removeMember(userId);
        audit(entry);
        return "stored";
      }),
  };
}
