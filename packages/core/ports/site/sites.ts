import type { Account } from "../../domain/account/account.ts";
import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Site } from "../../domain/site/site.ts";

/** Outcome of writing a site: `conflict` if its revision is no longer the expected one. */
export type SiteWrite = "stored" | "name_taken" | "conflict";

/**
 * Accounts and sites with their keys. A site is one aggregate: it is written whole, with optimistic concurrency on its
 * revision, in one transaction, and the audit entry with it. Methods reject only on faults of the store.
 */
export interface Sites {
  /** The site as last written, deleted ones included; undefined if it never existed or was purged. */
  findSite(siteKey: string): Promise<Site | undefined>;
  /** The site that keeps this digest among its secret keys, dead ones included until the next rotation. */
  findSiteBySecret(secretKeyDigest: string): Promise<Site | undefined>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** Every account, oldest first. */
  listAccounts(): Promise<readonly Account[]>;
  /** Every site of the account that is not purged, by name. */
  listSites(accountId: string): Promise<readonly Site[]>;
  insertAccount(account: Account): Promise<void>;
  /** Names the account; false, and no line in the audit log, if that is its name already or there is no such account. */
  renameAccount(accountId: string, name: string, entry: AuditEntry): Promise<boolean>;
  /**
   * `name_taken` if a living site of the account has that name, `too_many_sites` if the account has as many sites as it may (`most`),
   * those included that are deleted and not purged.
   */
  insertSite(site: Site, entry?: AuditEntry, most?: number): Promise<"stored" | "name_taken" | "too_many_sites">;
  /** Writes `site` if the stored revision is still `expectedRevision`; else nothing changes. */
  replaceSite(site: Site, expectedRevision: number, entry?: AuditEntry): Promise<SiteWrite>;
  /** Removes sites deleted before the given moment, for good; answers how many (D12). */
  purgeSites(deletedBeforeMs: number): Promise<number>;
}

/** Reads of sites for the request path; may answer from memory up to a second old. */
export interface SiteDirectory {
  findSite(siteKey: string): Promise<Site | undefined>;
  findSiteBySecret(secretKeyDigest: string): Promise<Site | undefined>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** Forgets what is held of the site, so that the next read asks the store (D3). */
  forget(siteKey: string): void;
}
