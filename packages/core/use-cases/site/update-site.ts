import { findChanges } from "../../domain/account/audit.ts";
import { type Site, type SiteSettings, withSettings } from "../../domain/site/site.ts";
import {
  findSettingsProblems,
  normalizeSettings,
  type SettingsProblem,
} from "../../domain/site/site-settings.ts";
import { weakensSite } from "../../domain/site/weakens-site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import {
  findOwnSite,
  type SiteReference,
  settingsOf,
  writeSite,
} from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** The changed site; `conflict` if somebody else has changed it in the meantime. */
export type UpdateSiteAnswer =
  | { readonly kind: "updated"; readonly site: Site }
  | { readonly kind: "invalid"; readonly problems: readonly SettingsProblem[] }
  | { readonly kind: "not_found" | "name_taken" | "conflict" | "proof_needed" };

/**
 * `isProven` is false if the member's last proof of identity is not fresh. The operator needs none.
 */
export type UpdateTerms = {
  readonly isProven?: boolean;
  readonly expectedRevision?: number | undefined;
};

/**
 * Changes settings of a site, including whether it is enabled (spec 1, Update Site; D12, states).
 * With `expectedRevision`, it changes only the version that the caller has seen. Without a fresh
 * proof, a change that weakens the site is refused.
 */
export async function updateSite(
  ports: Ports,
  reference: SiteReference,
  change: Partial<SiteSettings>,
  { isProven = true, expectedRevision }: UpdateTerms = {},
): Promise<UpdateSiteAnswer> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return { kind: "not_found" };
  const current = settingsOf(site);
  const settings = normalizeSettings({ ...current, ...change });
  const problems = findSettingsProblems(settings, current.language);
  if (problems.length > 0) return { kind: "invalid", problems };
  // Nothing changes, so write no revision and no audit entry. This also answers a repeat after a
  // lost answer.
  if (findChanges(current, settings).length === 0) return { kind: "updated", site };
  if (expectedRevision !== undefined && expectedRevision !== site.revision)
    return { kind: "conflict" };
  if (!isProven && weakensSite(current, settings)) return { kind: "proof_needed" };
  const updated = withSettings(site, settings);
  const outcome = await writeSite(ports, { ...reference, action: "site_updated" }, site, updated);
  return outcome === "stored" ? { kind: "updated", site: updated } : { kind: outcome };
}
