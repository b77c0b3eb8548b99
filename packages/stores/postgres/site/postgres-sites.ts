import type { Sites, SiteWrite } from "@stile/core/ports/site/sites";
import { writeAudit } from "../account/postgres-audit-log.ts";
import type { Database, DatabaseConnections } from "../engine/database.ts";
import { inTurn } from "../engine/in-turn.ts";
import { deleteInSteps } from "../postgres-housekeeping.ts";
import type { SiteTurns } from "../spending/site-turns.ts";
import { SITE_READER as reader, SITE_WRITER as rows } from "./postgres-site-rows.ts";

/** Tables whose rows belong to a site. */
const TABLES_OF_SITES = ["statistics", "score_blocks", "statistic_days", "decisions"] as const;

/**
 * Removes rows of sites that no longer exist, in steps of one site each. It finds the sites by
 * skipping through the index.
 */
async function sweepOrphans(jobs: DatabaseConnections): Promise<void> {
  for (const table of TABLES_OF_SITES) {
    const { rows: orphaned } = await jobs.write<{ siteKey: string }>(
      `WITH RECURSIVE keys(site_key) AS (SELECT min(site_key) FROM ${table} UNION ALL
        SELECT (SELECT min(site_key) FROM ${table} WHERE site_key > keys.site_key) FROM keys WHERE site_key IS NOT NULL)
        SELECT site_key AS "siteKey" FROM keys
          WHERE site_key IS NOT NULL AND NOT EXISTS (SELECT FROM sites WHERE sites.site_key = keys.site_key)`,
    );
    for (const { siteKey } of orphaned) {
      const step = `SELECT ctid FROM ${table} WHERE site_key = $2 LIMIT $1`;
      await deleteInSteps(jobs, `DELETE FROM ${table} WHERE ctid IN (${step})`, [siteKey]);
    }
  }
}

/**
 * Removes sites permanently. The sites go first, in one statement, so that a purge and a restore
 * cannot each happen in part. Their many rows follow, including those that an interrupted purge
 * left.
 */
async function purge(jobs: DatabaseConnections, deletedBeforeMs: number): Promise<number> {
  const { count } = await jobs.write("DELETE FROM sites WHERE deleted_at_ms < $1", [
    deletedBeforeMs,
  ]);
  await sweepOrphans(jobs);
  // Deletions of sites and rotations remove keys; this removes the records of the keys' use.
  await jobs.write(
    "DELETE FROM key_usage WHERE NOT EXISTS (SELECT FROM secret_keys WHERE secret_keys.digest = key_usage.digest)",
  );
  return count;
}

/** Accounts and sites in PostgreSQL. */
export function createPostgresSites(
  { calls, jobs }: Database,
  turns: Pick<SiteTurns, "write">,
): Sites {
  return {
    findSite: (siteKey) => reader.findSite(calls.read, siteKey),
    findSiteBySecret: (digest) => reader.findSiteBySecret(calls.read, digest),
    findAccount: (accountId) => reader.findAccount(calls.read, accountId),
    listAccounts: () => reader.listAccounts(calls.read),
    listSites: (accountId) => reader.listSites(calls.read, accountId),
    insertAccount: (account) => rows.insertAccount(calls.write, account),
    renameAccount: (accountId, name, entry) =>
      inTurn(calls, async (query) => {
        const isRenamed = await rows.renameAccount(query, accountId, name);
        if (isRenamed) await writeAudit(query, entry);
        return isRenamed;
      }),
    insertSite: (site, entry, most = Number.POSITIVE_INFINITY) =>
      inTurn(calls, async (query) => {
        if (await rows.isNameTaken(query, site)) return "name_taken";
        if ((await rows.countSites(query, site.accountId)) >= most) return "too_many_sites";
        await rows.insertSite(query, site);
        await writeAudit(query, entry);
        return "stored";
      }),
    replaceSite: (site, expectedRevision, entry) =>
      turns.write(site.siteKey, () =>
        inTurn(calls, async (query): Promise<SiteWrite> => {
          const { rows: found } = await query<{ revision: number }>(
            "SELECT revision FROM sites WHERE site_key = $1 FOR UPDATE",
            [site.siteKey],
          );
          if (found[0]?.revision !== expectedRevision) return "conflict";
          if (await rows.isNameTaken(query, site)) return "name_taken";
          await rows.updateSite(query, site);
          await writeAudit(query, entry);
          return "stored";
        }),
      ),
    purgeSites: (deletedBeforeMs) => purge(jobs, deletedBeforeMs),
  };
}
