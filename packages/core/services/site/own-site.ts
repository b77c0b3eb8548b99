import { encodeBase64url } from "@stile/pow/base64url";
import type { AuditAction } from "@stile/protocol/dashboard-events";
import { type Actor, type AuditEntry, findChanges } from "../../domain/account/audit.ts";
import { changeMark, type RequestedChange } from "../../domain/account/signed-in.ts";
import { createSecretKey, toSecretKeyRecord } from "../../domain/site/create-keys.ts";
import type { SecretKeyRecord } from "../../domain/site/secret-key.ts";
import type { Site, SiteSettings } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { SiteWrite } from "../../ports/site/sites.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** The account's site that a use case reads. Sites of other accounts count as not found. */
export type OwnSite = { readonly accountId: string; readonly siteKey: string };

/** The account's site that a use case changes, and the requester. */
export type SiteReference = OwnSite & Requester;

/** The requester of a change, and its id if it has one. */
export type Requester = { readonly actor: Actor; readonly change?: RequestedChange | undefined };

/** A secret key, shown only once, and the record of it that is stored (D13, formats). */
export function createSecret(ports: Ports): { secretKey: string; record: SecretKeyRecord } {
  const secretKey = createSecretKey((length) => ports.cryptography.randomBytes(length));
  const digest = encodeBase64url(ports.cryptography.digest(secretKey));
  return { secretKey, record: toSecretKeyRecord(secretKey, digest, ports.clock.nowMs()) };
}

/** The account's site; undefined if it has none of that key, or it is deleted. */
export async function findOwnSite(
  { sites }: Pick<ServicePorts, "sites">,
  own: OwnSite,
): Promise<Site | undefined> {
  const site = await sites.findSite(own.siteKey);
  return site?.accountId === own.accountId && site.deletedAtMs === null ? site : undefined;
}

/** The account's deleted site that can be restored. */
export async function findDeletedSite(
  { sites }: Pick<ServicePorts, "sites">,
  own: OwnSite,
): Promise<Site | undefined> {
  const site = await sites.findSite(own.siteKey);
  return site?.accountId === own.accountId && site.deletedAtMs !== null ? site : undefined;
}

/** The part of a site that its account may change. */
export function settingsOf(site: Site): SiteSettings {
  const { siteKey, accountId, createdAtMs, deletedAtMs, secretKeys, revision, ...settings } = site;
  const { challenge, block } = settings.thresholds;
  // PostgreSQL returns the fields of JSON in another order, and changes are found by comparing JSON
  // texts.
  return { ...settings, thresholds: { challenge, block } };
}

/** An action on a site and its requester. */
type SiteAction = Requester & { readonly action: AuditAction };

/**
 * The audit entry for an action: the site's settings before and after it, and nothing about its
 * keys.
 */
export function siteEntry(
  { clock }: Pick<ServicePorts, "clock">,
  { actor, action, change }: SiteAction,
  before: Site,
  after: Site = before,
): AuditEntry {
  const { accountId, name, siteKey } = after;
  const changes = findChanges(settingsOf(before), settingsOf(after));
  return {
    accountId,
    atMs: clock.nowMs(),
    actor,
    action,
    subject: name,
    siteKey,
    changes,
    ...changeMark(change),
  };
}

/**
 * Writes a changed site over the revision that it was made from, with its audit entry, and makes it
 * visible to this process at once.
 */
export async function writeSite(
  ports: Ports,
  action: SiteAction,
  before: Site,
  after: Site,
): Promise<SiteWrite> {
  const outcome = await ports.sites.replaceSite(
    after,
    before.revision,
    siteEntry(ports, action, before, after),
  );
  ports.directory.forget(before.siteKey);
  return outcome;
}
