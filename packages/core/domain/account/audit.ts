import type { AuditAction } from "@stile/protocol/dashboard-events";

/** The actor of a change: a member, or the operator at the command line. */
export type Actor = { readonly userId: string | null; readonly name: string };

/** The operator at the command line, who does not sign in (D16, operator). */
export const OPERATOR: Actor = { userId: null, name: "command line" };

/** A field's value before and after; secrets and hashes never appear here. */
export type Change = { readonly field: string; readonly before: unknown; readonly after: unknown };

/** One line of the audit log. */
export type AuditEntry = {
  readonly accountId: string;
  readonly atMs: number;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** In words: the changed site, member or thing. */
  readonly subject: string;
  /** The changed site; null for anything else. */
  readonly siteKey: string | null;
  readonly changes: readonly Change[];
  /**
   * Identifies the change if its dashboard may send it again (D16, operator); pages never show it.
   */
  readonly changeDigest?: string;
};

/** The entry that the first request of a change wrote, with the data that a repeat of it needs. */
export type ChangeEntry = Pick<AuditEntry, "atMs" | "siteKey">;

/** How long after its first entry a change may be repeated, in ms; a later repeat is refused. */
export const CHANGE_REPEAT_MS = 30 * 60_000;

/** The fields that changed, in the order of `after`. */
export function findChanges<Fields extends object>(
  before: Fields,
  after: Fields,
): readonly Change[] {
  return (Object.keys(after) as (keyof Fields & string)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}

/** The entry with one more change. */
export function withChange(entry: AuditEntry, change: Change): AuditEntry {
  return { ...entry, changes: [...entry.changes, change] };
}

/**
 * The member as an actor, named by email: emails are unique and contain an `@`, so no member can
 * choose a name that passes for another member or for the command line.
 */
export function actorOf(member: { readonly userId: string; readonly email: string }): Actor {
  return { userId: member.userId, name: member.email };
}

/** How many days an entry is kept: about 13 months. */
export const AUDIT_DAYS = 400;
