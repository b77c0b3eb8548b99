import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";

/**
 * Outcome of changing a member. `conflict`: its revision is no longer the expected one, or another
 * member has one of its passkeys.
 */
export type MemberWrite = "stored" | "conflict" | "email_taken" | "last_owner";

/**
 * The people of the accounts. A member is one aggregate, written as a whole with optimistic
 * concurrency, in one transaction with the audit entry. A write that would remove an account's last
 * owner changes nothing and returns `last_owner`.
 */
export interface Members {
  findMember(userId: string): Promise<Member | undefined>;
  findMemberByEmail(email: string): Promise<Member | undefined>;
  findMemberByPasskey(passkeyId: string): Promise<Member | undefined>;
  /** All members of the account, by name. */
  listMembers(accountId: string): Promise<readonly Member[]>;
  /**
   * With `onlySessionId`, the member's other sessions and all links for them end in the same step.
   */
  replaceMember(
    member: Member,
    expectedRevision: number,
    entry?: AuditEntry,
    onlySessionId?: string,
  ): Promise<MemberWrite>;
  /** Whether the account demands a second factor of its members. */
  isSecondFactorDemanded(accountId: string): Promise<boolean>;
  /**
   * Sets or lifts that demand. Setting it also ends the sessions of all members without an
   * authenticator app, except `keptSessionId`, since they may have begun with a password alone.
   * False, with nothing written, if nothing changes.
   */
  setSecondFactorDemand(
    accountId: string,
    isDemanded: boolean,
    keptSessionId: string,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** Removes the member, and ends their sessions and links. */
  removeMember(userId: string, expectedRevision: number, entry: AuditEntry): Promise<MemberWrite>;
}
