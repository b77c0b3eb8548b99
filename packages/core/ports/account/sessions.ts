import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { Session } from "../../domain/account/session.ts";

/** Signed-in browsers. Those of removed members are as good as absent: nobody finds their member. */
export interface Sessions {
  /**
   * Begins a session and writes the member that signed in, in one step: so a password that was changed while the former
   * one was being checked lets nobody in. `conflict` if the member's revision is no longer the expected one.
   */
  startSession(
    session: Session,
    member: Member,
    expectedRevision: number,
    entry: AuditEntry,
  ): Promise<"stored" | "conflict">;
  findSession(tokenDigest: string): Promise<Session | undefined>;
  /** The member's sessions, the last seen first. */
  listSessions(userId: string): Promise<readonly Session[]>;
  /** Notes activity, and a fresh proof where one is given; does nothing if the session has ended. */
  touchSession(sessionId: string, change: { lastSeenAtMs: number; provenAtMs?: number }): Promise<void>;
  /** False if the member has no such session. */
  removeSession(userId: string, sessionId: string, entry: AuditEntry): Promise<boolean>;
  /** Ends all sessions of the member but the named one; answers how many. The entry is written if there were any. */
  removeOtherSessions(userId: string, keptSessionId: string, entry: AuditEntry): Promise<number>;
  /** Removes sessions past their idle or absolute life. */
  prune(nowMs: number): Promise<number>;
}
