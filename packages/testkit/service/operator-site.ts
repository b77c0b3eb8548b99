import { join } from "node:path";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { SiteSettings } from "@stile/core/domain/site/site";
import { createSite } from "@stile/core/flows/site/create-site";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";

/** A site with its keys. */
export type OperatorSite = { readonly siteKey: string; readonly secretKey: string };

/** Adds a site to the data directory of a running service, beside it: for `localhost`, unless the settings say otherwise. */
export async function addSite(
  dataDirectory: string,
  settings: Partial<SiteSettings> & Pick<SiteSettings, "name">,
): Promise<OperatorSite> {
  const store = await openSqliteStore({ file: join(dataDirectory, "stile.sqlite") });
  try {
    const [account] = await store.sites.listAccounts();
    if (account === undefined) throw new Error("the service has no account");
    const owner = { accountId: account.accountId, actor: OPERATOR };
    const created = await createSite(openOperatorPorts(store), owner, { domains: ["localhost"], ...settings });
    if (created.kind !== "created") throw new Error(`the site was not created: ${created.kind}`);
    return { siteKey: created.site.siteKey, secretKey: created.secretKey };
  } finally {
    await store.close();
  }
}
