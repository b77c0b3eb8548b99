import type { DatabaseSync } from "node:sqlite";
import { SESSION_MS, type Session } from "@stile/core/domain/account/session";
import type { Sessions } from "@stile/core/ports/account/sessions";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect, toPlainRow } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";
import { inSteps } from "../sqlite-housekeeping.ts";
import { createMemberReader, createMemberWriter } from "./member-rows.ts";
import { createAuditWriter } from "./sqlite-audit-log.ts";

const SESSION_COLUMNS = `session_id AS sessionId, token_digest AS tokenDigest, user_id AS userId,
  created_at_ms AS createdAtMs, last_seen_at_ms AS lastSeenAtMs, proven_at_ms AS provenAtMs, device`;

function prepareStatements(database: DatabaseSync) {
  return {
    insert: database.prepare(
      `INSERT INTO sessions (session_id, token_digest, user_id, created_at_ms, last_seen_at_ms, proven_at_ms, device)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    selectByToken: prepareSelect<Session>(
      database,
      `SELECT ${SESSION_COLUMNS} FROM sessions WHERE token_digest = ?`,
    ),
    selectOfMember: prepareSelect<Session>(
      database,
      `SELECT ${SESSION_COLUMNS} FROM sessions WHERE user_id = ? ORDER BY last_seen_at_ms DESC, session_id`,
    ),
    touch: database.prepare(
      `UPDATE sessions SET last_seen_at_ms = max(last_seen_at_ms, ?),
        proven_at_ms = max(proven_at_ms, coalesce(?, proven_at_ms)) WHERE session_id = ?`,
    ),
    remove: database.prepare("DELETE FROM sessions WHERE user_id = ? AND session_id = ?"),
    removeOver: database.prepare(
      `DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM sessions
        WHERE last_seen_at_ms <= ? OR created_at_ms <= ? LIMIT ${SWEEP_STEP_ROWS})`,
    ),
  };
}

/** Sessions in SQLite. */
export function createSqliteSessions(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): Sessions {
  const statements = prepareStatements(database);
  const members = { ...createMemberReader(database), ...createMemberWriter(database) };
  const audit = createAuditWriter(database);
  return {
    startSession: (session, member, expectedRevision, entry) =>
      writer.writeThrough(() => {
        if (members.findMember(member.userId)?.revision !== expectedRevision) return "conflict";
        members.updateMember(member);
        const { sessionId, tokenDigest, userId, createdAtMs, lastSeenAtMs, provenAtMs, device } =
          session;
        statements.insert.run(
          sessionId,
          tokenDigest,
          userId,
          createdAtMs,
          lastSeenAtMs,
          provenAtMs,
          device,
        );
        audit(entry);
        return "stored";
      }),
    findSession: (tokenDigest) =>
      retryWhileBusy(() => {
        const row = statements.selectByToken.get(tokenDigest);
        return row && toPlainRow(row);
      }, now),
    listSessions: (userId) =>
      retryWhileBusy(() => statements.selectOfMember.all(userId).map(toPlainRow), now),
    touchSession: (
      sessionId,
      { lastSeenAtMs, provenAtMs = null }: { lastSeenAtMs: number; provenAtMs?: number | null },
    ) =>
      writer.write(() => {
        statements.touch.run(lastSeenAtMs, provenAtMs, sessionId);
      }),
    removeSession: (userId, sessionId, entry) =>
      writer.writeThrough(() => {
        if (statements.remove.run(userId, sessionId).changes === 0) return false;
        audit(entry);
        return true;
      }),
    removeOtherSessions: (userId, keptSessionId, entry) =>
      writer.writeThrough(() => {
        const ended = members.endSessions(userId, keptSessionId);
        if (ended > 0) audit(entry);
        return ended;
      }),
    prune: (nowMs) =>
      inSteps(writer, () =>
        Number(
          statements.removeOver.run(nowMs - SESSION_MS.idle, nowMs - SESSION_MS.absolute).changes,
        ),
      ),
  };
}
