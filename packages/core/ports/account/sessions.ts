import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { Session } from "../../domain/account/session.ts";

/**
 * Signed-in browsers. A removed member's sessions are useless, since their member can't be found.
 */
export interface Sessions {
  /**
   * Starts a session and writes the member who signed in, in one step: if the password changes
   * while the old one is being checked, nobody gets in. `conflict` if the member's revision is no
   * longer the expected one.
   */
  startSession(
    session: Session,
    member: Member,
    expectedRevision: number,
    entry: AuditEntry,
  ): Promise<"stored" | "conflict">;
  findSession(tokenDigest: string): Promise<Session | undefined>;
  /** The member's sessions, the most recently used first. */
  listSessions(userId: string): Promise<readonly Session[]>;
  /**
   * Records activity, and with `provenAtMs` a fresh proof of identity. Does nothing if the session
   * has ended.
   */
  touchSession(
    sessionId: string,
    change: { lastSeenAtMs: number; provenAtMs?: number },
  ): Promise<void>;
  /** Ends a session; false if the member has no such session. */
  removeSession(userId: string, sessionId: string, entry: AuditEntry): Promise<boolean>;
  /**
   * Ends all sessions of the member except one, and returns how many. The entry is written if there
   * were any.
   */
  removeOtherSessions(userId: string, keptSessionId: string, entry: AuditEntry): Promise<number>;
  /** Removes sessions that are past their idle or absolute life. */
  prune(nowMs: number): Promise<number>;
}
