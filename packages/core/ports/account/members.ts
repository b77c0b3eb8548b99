import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";

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
  /** With `onlySessionId`, every other session of the member, and every link for it, ends in the same step. */
  replaceMember(
    member: Member,
    expectedRevision: number,
    entry?: AuditEntry,
    onlySessionId?: string,
  ): Promise<MemberWrite>;
  /** Whether the account demands a second factor of its members. */
  isSecondFactorDemanded(accountId: string): Promise<boolean>;
  /**
   * Sets that demand. Where it is raised, the sessions of the account's members without an authenticator app end in the
   * same step, all but the named one: they may have begun by a password alone. False, and nothing is written, if it was
   * so before.
   */
  setSecondFactorDemand(
    accountId: string,
    isDemanded: boolean,
    keptSessionId: string,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** Removes the member and ends all its sessions and links. */
  removeMember(userId: string, expectedRevision: number, entry: AuditEntry): Promise<MemberWrite>;
}
