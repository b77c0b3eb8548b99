import type { DatabaseSync } from "node:sqlite";
import { AUDIT_DAYS, type AuditEntry, type ChangeEntry } from "@stile/core/domain/account/audit";
import type { AuditLog } from "@stile/core/ports/account/audit-log";
import { type AuditRow, toAuditEntry } from "../../rows/audit-rows.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect, toPlainRow } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";
import { inSteps } from "../sqlite-housekeeping.ts";

const DAY_MS = 86_400_000;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Writes audit entries. Call it within the transaction of the change that the entry records. */
export function createAuditWriter(database: DatabaseSync): (entry: AuditEntry) => void {
  const insert = database.prepare(
    `INSERT INTO audit_entries (account_id, at_ms, actor_user_id, actor_name, action, subject, site_key, changes,
      change_digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (entry) => {
    insert.run(
      entry.accountId,
      entry.atMs,
      entry.actor.userId,
      entry.actor.name,
      entry.action,
      entry.subject,
      entry.siteKey,
      JSON.stringify(entry.changes),
      entry.changeDigest ?? null,
    );
  };
}

/** The audit log in SQLite. */
export function createSqliteAuditLog(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): AuditLog {
  const write = createAuditWriter(database);
  const select = prepareSelect<AuditRow>(
    database,
    `SELECT entry_id AS entryId, account_id AS accountId, at_ms AS atMs, actor_user_id AS userId,
      actor_name AS actorName, action, subject, site_key AS siteKey, changes
      FROM audit_entries WHERE account_id = ? AND entry_id < ? ORDER BY entry_id DESC LIMIT ?`,
  );
  const selectChange = prepareSelect<ChangeEntry>(
    database,
    "SELECT at_ms AS atMs, site_key AS siteKey FROM audit_entries WHERE change_digest = ? ORDER BY entry_id LIMIT 1",
  );
  const removeOld = database.prepare(
    `DELETE FROM audit_entries WHERE entry_id IN
      (SELECT entry_id FROM audit_entries WHERE at_ms < ? LIMIT ${SWEEP_STEP_ROWS})`,
  );
  return {
    append: (entry) => writer.write(() => write(entry)),
    list: (accountId, { limit, beforeId = NEWEST }) =>
      retryWhileBusy(() => select.all(accountId, beforeId, limit).map(toAuditEntry), now),
    findChange: (changeDigest) =>
      retryWhileBusy(() => {
        const row = selectChange.get(changeDigest);
        return row && toPlainRow(row);
      }, now),
    prune: (nowMs) =>
      inSteps(writer, () => Number(removeOld.run(nowMs - AUDIT_DAYS * DAY_MS).changes)),
  };
}
