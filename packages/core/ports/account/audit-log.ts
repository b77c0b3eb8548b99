import type { AuditEntry } from "../../domain/account/audit.ts";

/** An entry as kept; ids grow with time. */
export type StoredAuditEntry = AuditEntry & { readonly entryId: number };

/** What members and the operator did; nothing changes or removes an entry, but age (13 months). */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** The newest first, older than `beforeId` where given. */
  list(accountId: string, page: { limit: number; beforeId?: number }): Promise<readonly StoredAuditEntry[]>;
  prune(nowMs: number): Promise<number>;
}
