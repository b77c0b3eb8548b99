import type { Account } from "@stile/core/domain/account/account";
import type { SecretKeyRecord } from "@stile/core/domain/site/secret-key";
import type { Site } from "@stile/core/domain/site/site";
import { LATER_SETTINGS, type StoredSettings, settingsText } from "../../rows/stored-settings.ts";
import type { Query } from "../engine/database.ts";

type PostgresSiteRow = Pick<
  Site,
  "siteKey" | "accountId" | "name" | "createdAtMs" | "deletedAtMs" | "revision"
> & {
  readonly settings: StoredSettings;
  readonly secretKeys: readonly SecretKeyRecord[];
};

/**
 * Reads sites together with their keys in one statement, so that each is read as it was written.
 */
const SITES = `SELECT site_key AS "siteKey", account_id AS "accountId", name, created_at_ms AS "createdAtMs",
  deleted_at_ms AS "deletedAtMs", revision, settings,
  (SELECT coalesce(json_agg(json_build_object('digest', k.digest, 'lastFour', k.last_four,
    'createdAtMs', k.created_at_ms, 'replacedAtMs', k.replaced_at_ms) ORDER BY k.position), '[]')
    FROM secret_keys k WHERE k.site_key = sites.site_key) AS "secretKeys"
  FROM sites`;

const ACCOUNTS = `SELECT account_id AS "accountId", name, created_at_ms AS "createdAtMs",
  challenge_per_minute AS "challengePerMinute", total_per_minute AS "totalPerMinute"
  FROM accounts`;

function toSite({ settings, ...columns }: PostgresSiteRow): Site {
  return { ...columns, ...LATER_SETTINGS, ...settings };
}

async function selectSites(query: Query, where: string, value: string): Promise<readonly Site[]> {
  return (await query<PostgresSiteRow>(`${SITES} ${where}`, [value])).rows.map(toSite);
}

/** Reads accounts and whole sites. */
export const SITE_READER = {
  findSite: async (query: Query, siteKey: string) =>
    (await selectSites(query, "WHERE site_key = $1", siteKey))[0],
  findSiteBySecret: async (query: Query, digest: string) =>
    (
      await selectSites(
        query,
        "WHERE site_key = (SELECT site_key FROM secret_keys WHERE digest = $1)",
        digest,
      )
    )[0],
  listSites: (query: Query, accountId: string) =>
    selectSites(query, "WHERE account_id = $1 ORDER BY name, created_at_ms, site_key", accountId),
  findAccount: async (query: Query, accountId: string) =>
    (await query<Account>(`${ACCOUNTS} WHERE account_id = $1`, [accountId])).rows[0],
  listAccounts: async (query: Query) =>
    (await query<Account>(`${ACCOUNTS} ORDER BY created_at_ms, account_id`)).rows,
};

async function insertSecrets(query: Query, { siteKey, secretKeys }: Site): Promise<void> {
  for (const [position, { digest, lastFour, createdAtMs, replacedAtMs }] of secretKeys.entries()) {
    await query(
      `INSERT INTO secret_keys (digest, site_key, position, last_four, created_at_ms, replaced_at_ms)
        VALUES ($1, $2, $3, $4, $5, $6)`,
      [digest, siteKey, position, lastFour, createdAtMs, replacedAtMs],
    );
  }
}

/**
 * Writes accounts and whole sites, and answers the questions of such a write. Call these in turn
 * (`inTurn`).
 */
export const SITE_WRITER = {
  insertAccount: async (query: Query, account: Account): Promise<void> => {
    const { accountId, name, createdAtMs, challengePerMinute, totalPerMinute } = account;
    await query(
      `INSERT INTO accounts (account_id, name, created_at_ms, challenge_per_minute, total_per_minute)
        VALUES ($1, $2, $3, $4, $5)`,
      [accountId, name, createdAtMs, challengePerMinute, totalPerMinute],
    );
  },
  /** Returns whether the name changed. */
  renameAccount: async (query: Query, accountId: string, name: string): Promise<boolean> =>
    (
      await query("UPDATE accounts SET name = $1 WHERE account_id = $2 AND name <> $1", [
        name,
        accountId,
      ])
    ).count > 0,
  /**
   * Whether another site of the account, not deleted, has this site's name. A deleted site's name
   * is never taken.
   */
  isNameTaken: async (query: Query, site: Site): Promise<boolean> => {
    if (site.deletedAtMs !== null) return false;
    const select =
      "SELECT FROM sites WHERE account_id = $1 AND name = $2 AND deleted_at_ms IS NULL AND site_key <> $3";
    return (await query(select, [site.accountId, site.name, site.siteKey])).count > 0;
  },
  /** The account's sites that are not purged. */
  countSites: async (query: Query, accountId: string): Promise<number> =>
    (await query("SELECT FROM sites WHERE account_id = $1", [accountId])).count,
  insertSite: async (query: Query, site: Site): Promise<void> => {
    const { siteKey, accountId, name, createdAtMs, deletedAtMs, revision } = site;
    await query(
      `INSERT INTO sites (site_key, account_id, name, created_at_ms, deleted_at_ms, revision, settings)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [siteKey, accountId, name, createdAtMs, deletedAtMs, revision, settingsText(site)],
    );
    await insertSecrets(query, site);
  },
  updateSite: async (query: Query, site: Site): Promise<void> => {
    await query(
      "UPDATE sites SET name = $1, deleted_at_ms = $2, revision = $3, settings = $4 WHERE site_key = $5",
      [site.name, site.deletedAtMs, site.revision, settingsText(site), site.siteKey],
    );
    await query("DELETE FROM secret_keys WHERE site_key = $1", [site.siteKey]);
    await insertSecrets(query, site);
  },
};
