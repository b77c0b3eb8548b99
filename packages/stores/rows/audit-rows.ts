import type { StoredAuditEntry } from "@stile/core/ports/account/audit-log";

/** An audit entry as both engines select it; its changes are JSON. */
export type AuditRow = Omit<StoredAuditEntry, "actor" | "changes"> & {
  readonly userId: string | null;
  readonly actorName: string;
  readonly changes: string;
};

/** The entry of a row. */
export function toAuditEntry(row: AuditRow): StoredAuditEntry {
  const { userId, actorName, changes, ...columns } = row;
  return { ...columns, actor: { userId, name: actorName }, changes: JSON.parse(changes) };
}
