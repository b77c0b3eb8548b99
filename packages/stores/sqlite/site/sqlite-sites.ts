import type { DatabaseSync } from "node:sqlite";
import type { Sites, SiteWrite } from "@stile/core/ports/site/sites";
import { createAuditWriter } from "../account/sqlite-audit-log.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";
import { inSteps } from "../sqlite-housekeeping.ts";
import { createSiteReader, createSiteWriter } from "./site-rows.ts";

/** Tables whose rows belong to a site, with the columns that identify a row of a site. */
const ROWS_OF_SITES = [
  { table: "statistics", identity: "resolution, kind, start_ms, name" },
  { table: "score_blocks", identity: "start_ms, name" },
  { table: "decisions", identity: "decision_id" },
] as const;

/**
 * Removes rows of sites that no longer exist, a few rows of one site at a time. Finds site keys by
 * skipping through the index.
 */
function createOrphanSweep(database: DatabaseSync, writer: Writer): () => Promise<void> {
  const sweeps = ROWS_OF_SITES.map(({ table, identity }) => ({
    select: prepareSelect<{ readonly siteKey: string }>(
      database,
      `WITH RECURSIVE keys(site_key) AS (SELECT min(site_key) FROM ${table} UNION ALL
        SELECT (SELECT min(site_key) FROM ${table} WHERE site_key > keys.site_key) FROM keys WHERE site_key IS NOT NULL)
        SELECT site_key AS siteKey FROM keys WHERE site_key IS NOT NULL AND site_key NOT IN (SELECT site_key FROM sites)`,
    ),
    remove: database.prepare(
      `DELETE FROM ${table} WHERE site_key = ?1 AND (${identity}) IN
        (SELECT ${identity} FROM ${table} WHERE site_key = ?1 LIMIT ${SWEEP_STEP_ROWS})`,
    ),
  }));
  return async () => {
    for (const { select, remove } of sweeps) {
      const orphaned = await writer.write(() => select.all());
      for (const { siteKey } of orphaned)
        await inSteps(writer, () => Number(remove.run(siteKey).changes));
    }
  };
}

/**
 * Removes sites permanently. The site's own row goes first, in one step, so that of a purge and a
 * restore at the same time exactly one succeeds. Then its many other rows go, including those that
 * an interrupted purge left.
 */
function createPurge(
  database: DatabaseSync,
  writer: Writer,
): (deletedBeforeMs: number) => Promise<number> {
  const selectDeleted = prepareSelect<{ readonly siteKey: string }>(
    database,
    "SELECT site_key AS siteKey FROM sites WHERE deleted_at_ms < ?",
  );
  const removeSite = database.prepare("DELETE FROM sites WHERE site_key = ? AND deleted_at_ms < ?");
  const removeKeyUsage = database.prepare(
    "DELETE FROM key_usage WHERE digest NOT IN (SELECT digest FROM secret_keys)",
  );
  const sweepOrphans = createOrphanSweep(database, writer);
  return async (deletedBeforeMs) => {
    const deleted = await writer.write(() => selectDeleted.all(deletedBeforeMs));
    let purged = 0;
    for (const { siteKey } of deleted) {
      purged += await writer.write((transaction) => {
        transaction.forgetRevision(siteKey);
        return Number(removeSite.run(siteKey, deletedBeforeMs).changes);
      });
    }
    await sweepOrphans();
    // Rotations and deleted sites remove keys. Here the records of the use of removed keys go, too.
    await writer.write(() => {
      removeKeyUsage.run();
    });
    return purged;
  };
}

/** Accounts and sites in SQLite. */
export function createSqliteSites(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): Sites {
  const reader = createSiteReader(database);
  const rows = createSiteWriter(database);
  const audit = createAuditWriter(database);
  const read = <Answer>(query: () => Answer): Promise<Answer> => retryWhileBusy(query, now);
  return {
    findSite: (siteKey) => read(() => reader.findSite(siteKey)),
    findSiteBySecret: (digest) => read(() => reader.findSiteBySecret(digest)),
    findAccount: (accountId) => read(() => reader.findAccount(accountId)),
    listAccounts: () => read(() => reader.listAccounts()),
    listSites: (accountId) => read(() => reader.listSites(accountId)),
    insertAccount: (account) => writer.write(() => rows.insertAccount(account)),
    renameAccount: (accountId, name, entry) =>
      writer.write(() => {
        const isRenamed = rows.renameAccount(accountId, name);
        if (isRenamed) audit(entry);
        return isRenamed;
      }),
    insertSite: (site, entry, most = Number.POSITIVE_INFINITY) =>
      writer.writeThrough((transaction) => {
        if (rows.isNameTaken(site)) return "name_taken";
        if (rows.countSites(site.accountId) >= most) return "too_many_sites";
        rows.insertSite(site);
        transaction.forgetRevision(site.siteKey);
        if (entry !== undefined) audit(entry);
        return "stored";
      }),
    replaceSite: (site, expectedRevision, entry) =>
      writer.writeThrough((transaction): SiteWrite => {
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
