import { findChanges } from "../../domain/account/audit.ts";
import { type Site, type SiteSettings, withSettings } from "../../domain/site/site.ts";
import { findSettingsProblems, normalizeSettings, type SettingsProblem } from "../../domain/site/site-settings.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference, settingsOf, writeSite } from "./own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** The changed site; `conflict` if somebody else has changed it in the meantime. */
export type UpdateSiteAnswer =
  | { readonly kind: "updated"; readonly site: Site }
  | { readonly kind: "invalid"; readonly problems: readonly SettingsProblem[] }
  | { readonly kind: "not_found" | "name_taken" | "conflict" };

/**
 * Changes settings of a site, including whether it is enabled (spec 1, Update Site; D12). With `expectedRevision`, it
 * changes only the version that the caller has seen.
 */
export async function updateSite(
  ports: Ports,
  reference: SiteReference,
  change: Partial<SiteSettings>,
  expectedRevision?: number,
): Promise<UpdateSiteAnswer> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return { kind: "not_found" };
  if (expectedRevision !== undefined && expectedRevision !== site.revision) return { kind: "conflict" };
  const current = settingsOf(site);
  const settings = normalizeSettings({ ...current, ...change });
  const problems = findSettingsProblems(settings, current.language);
  if (problems.length > 0) return { kind: "invalid", problems };
  // Nothing changed, so write no revision and no audit entry, which would report a change.
  if (findChanges(current, settings).length === 0) return { kind: "updated", site };
  const updated = withSettings(site, settings);
  const outcome = await writeSite(ports, { actor: reference.actor, action: "site_updated" }, site, updated);
  return outcome === "stored" ? { kind: "updated", site: updated } : { kind: outcome };
}
