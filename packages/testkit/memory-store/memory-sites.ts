import type { Account } from "@stile/core/domain/account/account";
import type { AuditEntry } from "@stile/core/domain/account/audit";
import type { Site } from "@stile/core/domain/site/site";
import type { Sites, SiteWrite } from "@stile/core/ports/site/sites";

/** Sites in memory, and what the rest of the memory store asks about them. */
export type MemorySites = Sites & {
  readonly revisionOf: (siteKey: string) => number | undefined;
  readonly domainsOf: (siteKey: string) => readonly string[] | undefined;
};

function byName(a: Site, b: Site): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/**
 * Accounts and sites in the memory of this process; `onPurged` is called for every site that is
 * purged.
 */
export function createMemorySites(
  onPurged: (siteKey: string) => void,
  writeAudit: (entry: AuditEntry | undefined) => void,
): MemorySites {
  const accounts = new Map<string, Account>();
  const sites = new Map<string, Site>();

  const findBySecret = (digest: string): Site | undefined =>
    [...sites.values()].find((site) => site.secretKeys.some((secret) => secret.digest === digest));

  const isNameTaken = (site: Site): boolean =>
    site.deletedAtMs === null &&
    [...sites.values()].some(
      (other) =>
        other.siteKey !== site.siteKey &&
        other.accountId === site.accountId &&
        other.deletedAtMs === null &&
        other.name === site.name,
    );

  /**
   * The rules that a database enforces with its constraints: a write like this is a mistake of the
   * caller.
   */
  const assertConsistent = (site: Site): void => {
    if (!accounts.has(site.accountId)) throw new Error("the account of the site does not exist");
    for (const { digest } of site.secretKeys) {
      const owner = findBySecret(digest);
      if (owner !== undefined && owner.siteKey !== site.siteKey)
        throw new Error("the secret key is another site's");
    }
  };

  return {
    revisionOf: (siteKey) => sites.get(siteKey)?.revision,
    domainsOf: (siteKey) => sites.get(siteKey)?.domains,
    findSite: async (siteKey) => sites.get(siteKey),
    findSiteBySecret: async (digest) => findBySecret(digest),
    findAccount: async (accountId) => accounts.get(accountId),
    listAccounts: async () => [...accounts.values()].sort((a, b) => a.createdAtMs - b.createdAtMs),
    listSites: async (accountId) =>
      [...sites.values()].filter((site) => site.accountId === accountId).sort(byName),
    insertAccount: async (account) => {
      if (accounts.has(account.accountId)) throw new Error("the account exists");
      accounts.set(account.accountId, account);
    },
    renameAccount: async (accountId, name, entry) => {
      const account = accounts.get(accountId);
      if (account === undefined || account.name === name) return false;
      accounts.set(accountId, { ...account, name });
      writeAudit(entry);
      return true;
    },
    insertSite: async (site, entry, most = Number.POSITIVE_INFINITY) => {
      if (sites.has(site.siteKey)) throw new Error("the site exists");
      assertConsistent(site);
      if (isNameTaken(site)) return "name_taken";
      if (
        [...sites.values()].filter(({ accountId }) => accountId === site.accountId).length >= most
      ) {
        return "too_many_sites";
      }
      sites.set(site.siteKey, site);
      writeAudit(entry);
      return "stored";
    },
    replaceSite: async (site, expectedRevision, entry): Promise<SiteWrite> => {
      if (sites.get(site.siteKey)?.revision !== expectedRevision) return "conflict";
      assertConsistent(site);
      if (isNameTaken(site)) return "name_taken";
      sites.set(site.siteKey, site);
      writeAudit(entry);
      return "stored";
    },
    purgeSites: async (deletedBeforeMs) => {
      const gone = [...sites.values()].filter(
        (site) => site.deletedAtMs !== null && site.deletedAtMs < deletedBeforeMs,
      );
      for (const { siteKey } of gone) {
        sites.delete(siteKey);
        onPurged(siteKey);
      }
      return gone.length;
    },
  };
}
