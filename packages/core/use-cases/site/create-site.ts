import { MOST_SITES } from "@stile/protocol/limits";
import { createSiteKey } from "../../domain/site/create-keys.ts";
import type { Site, SiteSettings } from "../../domain/site/site.ts";
import {
  DEFAULT_SETTINGS,
  findSettingsProblems,
  normalizeSettings,
  type SettingsProblem,
} from "../../domain/site/site-settings.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { createSecret, type Requester, siteEntry } from "../../services/site/own-site.ts";
import { replaceUnseenSecret } from "../../services/site/replace-unseen-secret.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** The new site with its secret key, which is shown only this once (D13, formats). */
export type CreateSiteAnswer =
  | { readonly kind: "created"; readonly site: Site; readonly secretKey: string }
  | { readonly kind: "invalid"; readonly problems: readonly SettingsProblem[] }
  | { readonly kind: "name_taken" | "too_many_sites" }
  /** Only for a repeat: the site that the first request made was deleted, or has a later key. */
  | { readonly kind: "not_found" | "conflict" };

/**
 * Registers a site and issues its keys (spec 1, Create Site). A repeat replaces the secret key of
 * the site that the first request made.
 */
export async function createSite(
  ports: Ports,
  { accountId, actor, change }: Requester & { readonly accountId: string },
  proposed: Pick<SiteSettings, "name" | "domains"> & Partial<SiteSettings>,
): Promise<CreateSiteAnswer> {
  if (change?.made !== undefined) {
    const answer = await replaceUnseenSecret(
      ports,
      { accountId, siteKey: change.made.siteKey ?? "" },
      change.made,
    );
    return answer.kind === "replaced" ? { ...answer, kind: "created" } : answer;
  }
  const settings = normalizeSettings({ ...DEFAULT_SETTINGS, ...proposed });
  const problems = findSettingsProblems(settings);
  if (problems.length > 0) return { kind: "invalid", problems };
  const { secretKey, record } = createSecret(ports);
  const site: Site = {
    ...settings,
    siteKey: createSiteKey((length) => ports.cryptography.randomBytes(length)),
    accountId,
    createdAtMs: ports.clock.nowMs(),
    deletedAtMs: null,
    secretKeys: [record],
    revision: 1,
  };
  const entry = siteEntry(ports, { actor, change, action: "site_created" }, site);
  const outcome = await ports.sites.insertSite(site, entry, MOST_SITES);
  return outcome === "stored" ? { kind: "created", site, secretKey } : { kind: outcome };
}
