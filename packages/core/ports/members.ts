import type { AuditEntry } from "../domain/audit.ts";
import type { Member } from "../domain/member.ts";

/**
 * Outcome of changing a member; `conflict` if its revision is no longer the expected one, or if one of its passkeys is
 * another member's.
 */
export type MemberWrite = "stored" | "conflict" | "email_taken" | "last_owner";

/**
 * The people of the accounts. A member is one aggregate, written whole with optimistic concurrency; the audit entry stands
 * or falls with the write. No write leaves an account that had an owner without one: `last_owner`, and nothing changes.
 */
export interface Members {
  findMember(userId: string): Promise<Member | undefined>;
  findMemberByEmail(email: string): Promise<Member | undefined>;
  findMemberByPasskey(passkeyId: string): Promise<Member | undefined>;
  /** Every member of the account, by name. */
  listMembers(accountId: string): Promise<readonly Member[]>;
  /** With `onlySessionId`, every other session of the member ends in the same step. */
  replaceMember(
    member: Member,
    expectedRevision: number,
    entry?: AuditEntry,
    onlySessionId?: string,
  ): Promise<MemberWrite>;
  /** Removes the member and ends all its sessions and links. */
  removeMember(userId: string, expectedRevision: number, entry: AuditEntry): Promise<MemberWrite>;
}
