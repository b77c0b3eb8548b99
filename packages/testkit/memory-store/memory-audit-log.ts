import { AUDIT_DAYS, type AuditEntry } from "@stile/core/domain/account/audit";
import type { AuditLog, StoredAuditEntry } from "@stile/core/ports/account/audit-log";

const DAY_MS = 86_400_000;

/**
 * The audit log in memory, and `write`, by which the rest of the memory store writes to it within
 * its own steps.
 */
export type MemoryAuditLog = {
  readonly auditLog: AuditLog;
  readonly write: (entry: AuditEntry | undefined) => void;
};

/** An empty audit log in the memory of this process. */
export function createMemoryAuditLog(): MemoryAuditLog {
  let entries: readonly StoredAuditEntry[] = [];
  let lastId = 0;
  const write = (entry: AuditEntry | undefined): void => {
    if (entry !== undefined) entries = [{ ...entry, entryId: ++lastId }, ...entries];
  };
  return {
    write,
    auditLog: {
      append: async (entry) => write(entry),
      list: async (accountId, { limit, beforeId = Number.MAX_SAFE_INTEGER }) =>
        entries
          .filter((entry) => entry.accountId === accountId && entry.entryId < beforeId)
          .slice(0, limit)
          .map(({ changeDigest, ...entry }) => entry),
      findChange: async (digest) => entries.findLast(({ changeDigest }) => changeDigest === digest),
      prune: async (nowMs) => {
        const kept = entries.filter(({ atMs }) => atMs >= nowMs - AUDIT_DAYS * DAY_MS);
        const removed = entries.length - kept.length;
        entries = kept;
        return removed;
      },
    },
  };
}
