import type { Account } from "../../domain/account/account.ts";
import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Site } from "../../domain/site/site.ts";

/** Outcome of writing a site; `conflict`: its revision is no longer the expected one. */
export type SiteWrite = "stored" | "name_taken" | "conflict";

/**
 * Accounts, and sites with their keys. A site is one aggregate: it is written as a whole, with
 * optimistic concurrency on its revision, in one transaction with the audit entry. Methods reject
 * only on faults of the store.
 */
export interface Sites {
  /** The site as last written, even if deleted; undefined if it never existed or was purged. */
  findSite(siteKey: string): Promise<Site | undefined>;
  /** The site with this digest among its secret keys; dead keys stay until the next rotation. */
  findSiteBySecret(secretKeyDigest: string): Promise<Site | undefined>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** All accounts, oldest first. */
  listAccounts(): Promise<readonly Account[]>;
  /** All sites of the account that are not purged, by name. */
  listSites(accountId: string): Promise<readonly Site[]>;
  insertAccount(account: Account): Promise<void>;
  /**
   * Renames the account. False, without an audit entry, if it already has that name or does not
   * exist.
   */
  renameAccount(accountId: string, name: string, entry: AuditEntry): Promise<boolean>;
  /**
   * `name_taken` if another site in use has that name; `too_many_sites` if the account already has
   * `most` sites, including deleted ones that are not purged yet.
   */
  insertSite(
    site: Site,
    entry?: AuditEntry,
    most?: number,
  ): Promise<"stored" | "name_taken" | "too_many_sites">;
  /**
   * Writes `site` if the stored revision is still `expectedRevision`; otherwise nothing changes.
   */
  replaceSite(site: Site, expectedRevision: number, entry?: AuditEntry): Promise<SiteWrite>;
  /**
   * Removes for good the sites that were deleted before this moment; returns how many (D12,
   * states).
   */
  purgeSites(deletedBeforeMs: number): Promise<number>;
}

/** Reads sites for the request path; the answers may come from memory, up to a second old. */
export interface SiteDirectory {
  findSite(siteKey: string): Promise<Site | undefined>;
  findSiteBySecret(secretKeyDigest: string): Promise<Site | undefined>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** Drops the site from memory, so that the next read asks the store (D3, single use). */
  forget(siteKey: string): void;
}
