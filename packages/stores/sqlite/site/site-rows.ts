import type { DatabaseSync } from "node:sqlite";
import type { Account } from "@stile/core/domain/account/account";
import type { SecretKeyRecord } from "@stile/core/domain/site/secret-key";
import type { Site } from "@stile/core/domain/site/site";
import { LATER_SETTINGS, type StoredSettings, settingsText } from "../../rows/stored-settings.ts";
import { prepareSelect, toPlainRow } from "../engine/select.ts";

type SiteRow = Pick<
  Site,
  "siteKey" | "accountId" | "name" | "createdAtMs" | "deletedAtMs" | "revision"
> & {
  readonly settings: string;
  /** `PackedSecret[]` as JSON. */
  readonly secrets: string;
};
type PackedSecret = [
  digest: string,
  lastFour: string,
  createdAtMs: number,
  replacedAtMs: number | null,
];

/**
 * A site with its secrets in one query, so that both are of one state. Two queries would need a
 * transaction.
 */
const SITE_COLUMNS = `site_key AS siteKey, account_id AS accountId, name, created_at_ms AS createdAtMs,
  deleted_at_ms AS deletedAtMs, revision, settings,
  (SELECT json_group_array(json_array(digest, last_four, secret_keys.created_at_ms, replaced_at_ms) ORDER BY position)
    FROM secret_keys WHERE secret_keys.site_key = sites.site_key) AS secrets`;

const ACCOUNT_COLUMNS = `account_id AS accountId, name, created_at_ms AS createdAtMs,
  challenge_per_minute AS challengePerMinute, total_per_minute AS totalPerMinute`;

function toSecret([digest, lastFour, createdAtMs, replacedAtMs]: PackedSecret): SecretKeyRecord {
  return { digest, lastFour, createdAtMs, replacedAtMs };
}

/** Reads accounts and whole sites; every method is one synchronous query. */
export function createSiteReader(database: DatabaseSync) {
  const selectSite = prepareSelect<SiteRow>(
    database,
    `SELECT ${SITE_COLUMNS} FROM sites WHERE site_key = ?`,
  );
  const selectBySecret = prepareSelect<SiteRow>(
    database,
    `SELECT ${SITE_COLUMNS} FROM sites WHERE site_key = (SELECT site_key FROM secret_keys WHERE digest = ?)`,
  );
  const selectSites = prepareSelect<SiteRow>(
    database,
    `SELECT ${SITE_COLUMNS} FROM sites WHERE account_id = ? ORDER BY name, created_at_ms, site_key`,
  );
  const selectAccount = prepareSelect<Account>(
    database,
    `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE account_id = ?`,
  );
  const selectAccounts = prepareSelect<Account>(
    database,
    `SELECT ${ACCOUNT_COLUMNS} FROM accounts ORDER BY created_at_ms, account_id`,
  );

  const toSite = ({ settings, secrets, ...columns }: SiteRow): Site => ({
    ...columns,
    ...LATER_SETTINGS,
    ...(JSON.parse(settings) as StoredSettings),
    secretKeys: (JSON.parse(secrets) as PackedSecret[]).map(toSecret),
  });
  const toSiteIfAny = (row: SiteRow | undefined): Site | undefined => row && toSite(row);

  return {
    findSite: (siteKey: string) => toSiteIfAny(selectSite.get(siteKey)),
    findSiteBySecret: (digest: string) => toSiteIfAny(selectBySecret.get(digest)),
    listSites: (accountId: string) => selectSites.all(accountId).map(toSite),
    findAccount: (accountId: string) => {
      const row = selectAccount.get(accountId);
      return row && toPlainRow(row);
    },
    listAccounts: () => selectAccounts.all().map(toPlainRow),
  };
}

/** Writes accounts and whole sites. Call these within a transaction. */
export function createSiteWriter(database: DatabaseSync) {
  const insertAccount = database.prepare(
    `INSERT INTO accounts (account_id, name, created_at_ms, challenge_per_minute, total_per_minute)
      VALUES (?, ?, ?, ?, ?)`,
  );
  const renameAccount = database.prepare(
    "UPDATE accounts SET name = ?1 WHERE account_id = ?2 AND name <> ?1",
  );
  const insertSite = database.prepare(
    `INSERT INTO sites (site_key, account_id, name, created_at_ms, deleted_at_ms, revision, settings)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateSite = database.prepare(
    "UPDATE sites SET name = ?, deleted_at_ms = ?, revision = ?, settings = ? WHERE site_key = ?",
  );
  const removeSecrets = database.prepare("DELETE FROM secret_keys WHERE site_key = ?");
  const insertSecret = database.prepare(
    `INSERT INTO secret_keys (digest, site_key, position, last_four, created_at_ms, replaced_at_ms)
      VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const selectNamesake = database.prepare(
    "SELECT 1 FROM sites WHERE account_id = ? AND name = ? AND deleted_at_ms IS NULL AND site_key <> ?",
  );

  const countSites = prepareSelect<{ readonly sites: number }>(
    database,
    "SELECT count(*) AS sites FROM sites WHERE account_id = ?",
  );

  const insertSecrets = ({ siteKey, secretKeys }: Site): void => {
    for (const [
      position,
      { digest, lastFour, createdAtMs, replacedAtMs },
    ] of secretKeys.entries()) {
      insertSecret.run(digest, siteKey, position, lastFour, createdAtMs, replacedAtMs);
    }
  };

  return {
    insertAccount: (account: Account): void => {
      const { accountId, name, createdAtMs, challengePerMinute, totalPerMinute } = account;
      insertAccount.run(accountId, name, createdAtMs, challengePerMinute, totalPerMinute);
    },
    /** Returns whether the name changed. */
    renameAccount: (accountId: string, name: string): boolean =>
      renameAccount.run(name, accountId).changes > 0,
    /**
     * Whether another site of the account, not deleted, has this site's name. A deleted site's name
     * is never taken.
     */
    isNameTaken: (site: Site): boolean =>
      site.deletedAtMs === null &&
      selectNamesake.get(site.accountId, site.name, site.siteKey) !== undefined,
    /** The account's sites that are not purged. */
    countSites: (accountId: string): number => countSites.get(accountId)?.sites ?? 0,
    insertSite: (site: Site): void => {
      const { siteKey, accountId, name, createdAtMs, deletedAtMs, revision } = site;
      insertSite.run(
        siteKey,
        accountId,
        name,
        createdAtMs,
        deletedAtMs,
        revision,
        settingsText(site),
      );
      insertSecrets(site);
    },
    updateSite: (site: Site): void => {
      updateSite.run(site.name, site.deletedAtMs, site.revision, settingsText(site), site.siteKey);
      removeSecrets.run(site.siteKey);
      insertSecrets(site);
    },
  };
}
