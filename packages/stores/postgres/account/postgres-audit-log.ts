import { AUDIT_DAYS, type AuditEntry, type ChangeEntry } from "@stile/core/domain/account/audit";
import type { AuditLog } from "@stile/core/ports/account/audit-log";
import { type AuditRow, toAuditEntry } from "../../rows/audit-rows.ts";
import type { DatabaseConnections, Query } from "../engine/database.ts";
import { deleteInSteps } from "../postgres-housekeeping.ts";

const DAY_MS = 86_400_000;
const NEWEST = Number.MAX_SAFE_INTEGER;

/**
 * Writes an audit entry, if there is one. Call it within the transaction of the change that it
 * records.
 */
export async function writeAudit(query: Query, entry: AuditEntry | undefined): Promise<void> {
  if (entry === undefined) return;
  const { accountId, atMs, actor, action, subject, siteKey, changes, changeDigest } = entry;
  const what = [action, subject, siteKey, JSON.stringify(changes), changeDigest ?? null];
  await query(
    `INSERT INTO audit_entries (account_id, at_ms, actor_user_id, actor_name, action, subject, site_key, changes,
      change_digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [accountId, atMs, actor.userId, actor.name, ...what],
  );
}

/** The audit log in PostgreSQL. */
export function createPostgresAuditLog(
  calls: DatabaseConnections,
  jobs: DatabaseConnections,
): AuditLog {
  const select = `SELECT entry_id AS "entryId", account_id AS "accountId", at_ms AS "atMs", actor_user_id AS "userId",
    actor_name AS "actorName", action, subject, site_key AS "siteKey", changes
    FROM audit_entries WHERE account_id = $1 AND entry_id < $2 ORDER BY entry_id DESC LIMIT $3`;
  const selectChange = `SELECT at_ms AS "atMs", site_key AS "siteKey" FROM audit_entries
    WHERE change_digest = $1 ORDER BY entry_id LIMIT 1`;
  const removeOld = `DELETE FROM audit_entries WHERE entry_id IN
    (SELECT entry_id FROM audit_entries WHERE at_ms < $2 LIMIT $1)`;
  return {
    append: (entry) => writeAudit(calls.write, entry),
    list: async (accountId, { limit, beforeId = NEWEST }) =>
      (await calls.read<AuditRow>(select, [accountId, beforeId, limit])).rows.map(toAuditEntry),
    findChange: async (changeDigest) =>
      (await calls.read<ChangeEntry>(selectChange, [changeDigest])).rows[0],
    prune: (nowMs) => deleteInSteps(jobs, removeOld, [nowMs - AUDIT_DAYS * DAY_MS]),
  };
}
