import type { Account } from "../../domain/account/account.ts";
import type { Site } from "../../domain/site/site.ts";
import type { SiteDirectory } from "../../ports/site/sites.ts";

/**
 * The account that a site belongs to. It throws if there is none, which is a fault: accounts
 * outlive their sites.
 */
export async function findOwner(
  accounts: Pick<SiteDirectory, "findAccount">,
  { siteKey, accountId }: Pick<Site, "siteKey" | "accountId">,
): Promise<Account> {
  const owner = await accounts.findAccount(accountId);
  if (owner === undefined) throw new Error(`site ${siteKey} belongs to no account`);
  return owner;
}
