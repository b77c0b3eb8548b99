import { SESSION_MS, type Session } from "@stile/core/domain/account/session";
import type { Sessions } from "@stile/core/ports/account/sessions";
import type { DatabaseConnections } from "../engine/database.ts";
import { inTurn } from "../engine/in-turn.ts";
import { deleteInSteps } from "../postgres-housekeeping.ts";
import { writeAudit } from "./postgres-audit-log.ts";
import { MEMBER_WRITER, MEMBER_READER as reader } from "./postgres-member-rows.ts";

const SESSIONS = `SELECT session_id AS "sessionId", token_digest AS "tokenDigest", user_id AS "userId",
  created_at_ms AS "createdAtMs", last_seen_at_ms AS "lastSeenAtMs", proven_at_ms AS "provenAtMs", device FROM sessions`;
const INSERT = `INSERT INTO sessions (session_id, token_digest, user_id, created_at_ms, last_seen_at_ms, proven_at_ms, device)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const TOUCH = `UPDATE sessions SET last_seen_at_ms = greatest(last_seen_at_ms, $1),
  proven_at_ms = greatest(proven_at_ms, coalesce($2, proven_at_ms)) WHERE session_id = $3`;
const REMOVE_OVER = `DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM sessions
  WHERE last_seen_at_ms <= $2 OR created_at_ms <= $3 LIMIT $1)`;

/** Sessions in PostgreSQL. */
export function createPostgresSessions(
  calls: DatabaseConnections,
  jobs: DatabaseConnections,
): Sessions {
  return {
    startSession: (session, member, expectedRevision, entry) =>
      inTurn(calls, async (query) => {
        if ((await reader.findMember(query, member.userId))?.revision !== expectedRevision)
          return "conflict";
        await MEMBER_WRITER.updateMember(query, member);
        const { sessionId, tokenDigest, userId, createdAtMs, lastSeenAtMs, provenAtMs, device } =
          session;
        await query(INSERT, [
          sessionId,
          tokenDigest,
          userId,
          createdAtMs,
          lastSeenAtMs,
          provenAtMs,
          device,
        ]);
        await writeAudit(query, entry);
        return "stored";
      }),
    findSession: async (tokenDigest) =>
      (await calls.read<Session>(`${SESSIONS} WHERE token_digest = $1`, [tokenDigest])).rows[0],
    listSessions: async (userId) =>
      (
        await calls.read<Session>(
          `${SESSIONS} WHERE user_id = $1 ORDER BY last_seen_at_ms DESC, session_id`,
          [userId],
        )
      ).rows,
    touchSession: async (sessionId, { lastSeenAtMs, provenAtMs }) => {
      await calls.write(TOUCH, [lastSeenAtMs, provenAtMs ?? null, sessionId]);
    },
    removeSession: (userId, sessionId, entry) =>
      calls.transaction(async (query) => {
        const remove = "DELETE FROM sessions WHERE user_id = $1 AND session_id = $2";
        if ((await query(remove, [userId, sessionId])).count === 0) return false;
        await writeAudit(query, entry);
        return true;
      }),
    removeOtherSessions: (userId, keptSessionId, entry) =>
      calls.transaction(async (query) => {
        const ended = await MEMBER_WRITER.endSessions(query, userId, keptSessionId);
        if (ended > 0) await writeAudit(query, entry);
        return ended;
      }),
    prune: (nowMs) =>
      deleteInSteps(jobs, REMOVE_OVER, [nowMs - SESSION_MS.idle, nowMs - SESSION_MS.absolute]),
  };
}
