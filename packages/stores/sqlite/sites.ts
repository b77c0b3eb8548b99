import type { DatabaseSync } from "node:sqlite";
import type { Sites, SiteWrite } from "@stile/core/ports/site/sites";
import { createAuditWriter } from "./audit-log.ts";
import { readTogether } from "./busy.ts";
import { inSteps } from "./housekeeping.ts";
import { SWEEP_STEP_ROWS } from "./mark-sweep.ts";
import { createSiteReader, createSiteWriter } from "./site-rows.ts";
import type { Writer } from "./writer.ts";

/**
 * Removal of sites for good; a site's many rows of statistics and decisions go first, in steps, and the site itself last.
 * Each step looks again whether the site is still deleted: one restored meanwhile keeps what it has.
 */
function createPurge(database: DatabaseSync, writer: Writer): (deletedBeforeMs: number) => Promise<number> {
  const selectDeleted = database.prepare("SELECT site_key AS siteKey FROM sites WHERE deleted_at_ms < ?");
  const isDeleted = "EXISTS (SELECT 1 FROM sites WHERE site_key = ?1 AND deleted_at_ms < ?2)";
  const removeStatistics = database.prepare(
    `DELETE FROM statistics WHERE site_key = ?1 AND (resolution, kind, start_ms, name) IN
      (SELECT resolution, kind, start_ms, name FROM statistics
        WHERE site_key = ?1 AND ${isDeleted} LIMIT ${SWEEP_STEP_ROWS})`,
  );
  const removeBlocks = database.prepare(
    `DELETE FROM score_blocks WHERE site_key = ?1 AND (start_ms, name) IN
      (SELECT start_ms, name FROM score_blocks WHERE site_key = ?1 AND ${isDeleted} LIMIT ${SWEEP_STEP_ROWS})`,
  );
  const removeDecisions = database.prepare(
    `DELETE FROM decisions WHERE site_key = ?1 AND decision_id IN
      (SELECT decision_id FROM decisions WHERE site_key = ?1 AND ${isDeleted} LIMIT ${SWEEP_STEP_ROWS})`,
  );
  const removeKeyUsage = database.prepare("DELETE FROM key_usage WHERE digest NOT IN (SELECT digest FROM secret_keys)");
  const removeSite = database.prepare("DELETE FROM sites WHERE site_key = ? AND deleted_at_ms < ?");
  return async (deletedBeforeMs) => {
    const deleted = await writer.write(() => selectDeleted.all(deletedBeforeMs) as { siteKey: string }[]);
    let purged = 0;
    for (const { siteKey } of deleted) {
      await inSteps(writer, () => Number(removeStatistics.run(siteKey, deletedBeforeMs).changes));
      await inSteps(writer, () => Number(removeBlocks.run(siteKey, deletedBeforeMs).changes));
      await inSteps(writer, () => Number(removeDecisions.run(siteKey, deletedBeforeMs).changes));
      purged += await writer.write((transaction) => {
        transaction.forgetRevision(siteKey);
        return Number(removeSite.run(siteKey, deletedBeforeMs).changes);
      });
    }
    // Keys go when a site is deleted, and by rotations; the traces of their use go here.
    await writer.write(() => {
      removeKeyUsage.run();
    });
    return purged;
  };
}

/** Accounts and sites in SQLite. */
export function createSites(database: DatabaseSync, writer: Writer, now: () => number): Sites {
  const reader = createSiteReader(database);
  const rows = createSiteWriter(database);
  const audit = createAuditWriter(database);
  const read = <Answer>(query: () => Answer): Promise<Answer> => readTogether(database, query, now);
  return {
    findSite: (siteKey) => read(() => reader.findSite(siteKey)),
    findSiteBySecret: (digest) => read(() => reader.findSiteBySecret(digest)),
    findAccount: (accountId) => read(() => reader.findAccount(accountId)),
    listAccounts: () => read(() => reader.listAccounts()),
    listSites: (accountId) => read(() => reader.listSites(accountId)),
    insertAccount: (account) => writer.write(() => rows.insertAccount(account)),
    insertSite: (site, entry) =>
      writer.write((transaction) => {
        if (rows.isNameTaken(site)) return "name_taken";
        rows.insertSite(site);
        transaction.forgetRevision(site.siteKey);
        if (entry !== undefined) audit(entry);
        return "stored";
      }),
    replaceSite: (site, expectedRevision, entry) =>
      writer.write((transaction): SiteWrite => {
        if (transaction.findRevision(site.siteKey) !== expectedRevision) return "conflict";
        if (rows.isNameTaken(site)) return "name_taken";
        rows.updateSite(site);
        transaction.forgetRevision(site.siteKey);
        if (entry !== undefined) audit(entry);
        return "stored";
      }),
    purgeSites: createPurge(database, writer),
  };
}
