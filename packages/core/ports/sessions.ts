import type { AuditEntry } from "../domain/audit.ts";
import type { Session } from "../domain/member.ts";

/** Signed-in browsers. */
export interface Sessions {
  insertSession(session: Session, entry: AuditEntry): Promise<void>;
  findSession(tokenDigest: string): Promise<Session | undefined>;
  listSessions(userId: string): Promise<readonly Session[]>;
  /** Notes activity, and a fresh proof where one is given. */
  touchSession(sessionId: string, change: { lastSeenAtMs: number; provenAtMs?: number }): Promise<void>;
  /** False if the member has no such session. */
  removeSession(userId: string, sessionId: string, entry: AuditEntry): Promise<boolean>;
  /** Ends all sessions of the member but the named one; answers how many. */
  removeOtherSessions(userId: string, keptSessionId: string | undefined): Promise<number>;
  /** Removes sessions past their idle or absolute life. */
  prune(nowMs: number): Promise<number>;
}
