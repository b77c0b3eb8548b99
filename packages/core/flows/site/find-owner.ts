import type { Account } from "../../domain/account/account.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

/** The account that a site belongs to. It throws if there is none, which is a fault: accounts outlive their sites. */
export async function findOwner(
  { directory }: Pick<ServicePorts, "directory">,
  { siteKey, accountId }: Pick<Site, "siteKey" | "accountId">,
): Promise<Account> {
  const owner = await directory.findAccount(accountId);
  if (owner === undefined) throw new Error(`site ${siteKey} belongs to no account`);
  return owner;
}
