import type { AuditEntry, ChangeEntry } from "../../domain/account/audit.ts";

/** A stored entry; ids grow with time. */
export type StoredAuditEntry = AuditEntry & { readonly entryId: number };

/**
 * The actions of members and the operator. Entries never change, and are only removed when they are
 * old (13 months).
 */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** The newest entries first; with `beforeId`, only those older than that entry. */
  list(
    accountId: string,
    page: { limit: number; beforeId?: number },
  ): Promise<readonly StoredAuditEntry[]>;
  /** The oldest entry with that `changeDigest`; `list` does not return the digest. */
  findChange(changeDigest: string): Promise<ChangeEntry | undefined>;
  prune(nowMs: number): Promise<number>;
}
