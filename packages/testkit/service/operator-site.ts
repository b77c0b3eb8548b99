import { OPERATOR } from "@stile/core/domain/account/audit";
import type { SiteSettings } from "@stile/core/domain/site/site";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { openOperatorPorts } from "@stile/server/cli/operator-ports";
import { openServiceStore } from "./service-store.ts";

/** A site with its keys. */
export type OperatorSite = { readonly siteKey: string; readonly secretKey: string };

/**
 * Adds a site next to a running service, to its data directory, or to its database if one is named:
 * for `localhost`, unless the settings say otherwise.
 */
export async function addSite(
  dataDirectory: string,
  settings: Partial<SiteSettings> & Pick<SiteSettings, "name">,
  databaseUrl = "",
): Promise<OperatorSite> {
  const store = await openServiceStore(dataDirectory, databaseUrl);
  try {
    const [account] = await store.sites.listAccounts();
    if (account === undefined) throw new Error("the service has no account");
    const owner = { accountId: account.accountId, actor: OPERATOR };
    const created = await createSite(await openOperatorPorts(store), owner, {
      domains: ["localhost"],
      ...settings,
    });
    if (created.kind !== "created") throw new Error(`the site was not created: ${created.kind}`);
    return { siteKey: created.site.siteKey, secretKey: created.secretKey };
  } finally {
    await store.close();
  }
}

/**
 * Changes a site's settings in the data directory of a running service, whose cache may keep the
 * former site for a second.
 */
export async function changeSite(
  { dataDirectory, siteKey }: { readonly dataDirectory: string; readonly siteKey: string },
  settings: Partial<SiteSettings>,
): Promise<void> {
  const store = await openServiceStore(dataDirectory, "");
  try {
    const site = await store.sites.findSite(siteKey);
    if (site === undefined) throw new Error(`the service has no site ${siteKey}`);
    await store.sites.replaceSite(
      { ...site, ...settings, revision: site.revision + 1 },
      site.revision,
    );
  } finally {
    await store.close();
  }
}
