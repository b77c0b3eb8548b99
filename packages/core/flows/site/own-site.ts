import { encodeBase64url } from "@stile/pow/base64url";
import type { AuditAction } from "@stile/protocol/dashboard-events";
import { type Actor, type AuditEntry, findChanges } from "../../domain/account/audit.ts";
import { createSecretKey, toSecretKeyRecord } from "../../domain/site/create-keys.ts";
import type { SecretKeyRecord } from "../../domain/site/secret-key.ts";
import type { Site, SiteSettings } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { SiteWrite } from "../../ports/site/sites.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** The account's site that a flow reads. Sites of other accounts count as not found. */
export type OwnSite = { readonly accountId: string; readonly siteKey: string };

/** The account's site that a flow changes, and who requested it. */
export type SiteReference = OwnSite & { readonly actor: Actor };

/** A secret key, shown only once, and the record of it that is stored (D13). */
export function createSecret(ports: Ports): { secretKey: string; record: SecretKeyRecord } {
  const secretKey = createSecretKey((length) => ports.cryptography.randomBytes(length));
  const digest = encodeBase64url(ports.cryptography.digest(secretKey));
  return { secretKey, record: toSecretKeyRecord(secretKey, digest, ports.clock.nowMs()) };
}

/** Finds the account's site, either a deleted one or one in use. */
export async function findOwnSite(
  ports: Pick<ServicePorts, "sites">,
  reference: OwnSite,
  isDeleted: boolean,
): Promise<Site | undefined> {
  const site = await ports.sites.findSite(reference.siteKey);
  const isOwn = site !== undefined && site.accountId === reference.accountId;
  return isOwn && (site.deletedAtMs !== null) === isDeleted ? site : undefined;
}

function settingsOf(site: Site): SiteSettings {
  const { siteKey, accountId, createdAtMs, deletedAtMs, secretKeys, revision, ...settings } = site;
  return settings;
}

/** The audit entry for a change of a site: its settings before and after, and nothing about its keys. */
export function siteEntry(
  ports: Pick<ServicePorts, "clock">,
  { actor, action }: { actor: Actor; action: AuditAction },
  after: Site,
  before: Site = after,
): AuditEntry {
  const { accountId, name, siteKey } = after;
  const changes = findChanges(settingsOf(before), settingsOf(after));
  return { accountId, atMs: ports.clock.nowMs(), actor, action, subject: name, siteKey, changes };
}

/**
 * Writes a changed site over the revision that it was made from, with its audit entry, and makes it visible to this
 * process at once.
 */
export async function writeSite(
  ports: Ports,
  by: { actor: Actor; action: AuditAction },
  before: Site,
  after: Site,
): Promise<SiteWrite> {
  const outcome = await ports.sites.replaceSite(after, before.revision, siteEntry(ports, by, after, before));
  ports.directory.forget(before.siteKey);
  return outcome;
}
