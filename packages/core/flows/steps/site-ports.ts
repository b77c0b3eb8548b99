import { encodeBase64url } from "@stile/pow/base64url";
import { createSecretKey, toSecretKeyRecord } from "../../domain/keys.ts";
import type { SecretKeyRecord, Site } from "../../domain/site.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { SiteDirectory, Sites, SiteWrite } from "../../ports/sites.ts";

/** What managing sites needs. */
export type SitePorts = {
  readonly clock: Clock;
  readonly cryptography: Cryptography;
  readonly sites: Sites;
  readonly directory: SiteDirectory;
};

/** The site of an account that a flow is about; sites of other accounts are as good as absent. */
export type SiteReference = { readonly accountId: string; readonly siteKey: string };

/** A secret key, shown once, and what is kept of it (D13). */
export function createSecret(ports: SitePorts): { secretKey: string; record: SecretKeyRecord } {
  const secretKey = createSecretKey((length) => ports.cryptography.randomBytes(length));
  const digest = encodeBase64url(ports.cryptography.digest(secretKey));
  return { secretKey, record: toSecretKeyRecord(secretKey, digest, ports.clock.nowMs()) };
}

/** Finds the account's site, living or deleted as asked. */
export async function findOwnSite(
  ports: SitePorts,
  reference: SiteReference,
  isDeleted: boolean,
): Promise<Site | undefined> {
  const site = await ports.sites.findSite(reference.siteKey);
  const isOwn = site !== undefined && site.accountId === reference.accountId;
  return isOwn && (site.deletedAtMs !== null) === isDeleted ? site : undefined;
}

/** Writes a changed site over the revision it was made from, and lets this process see it at once. */
export async function writeSite(ports: SitePorts, before: Site, after: Site): Promise<SiteWrite> {
  const outcome = await ports.sites.replaceSite(after, before.revision);
  ports.directory.forget(before.siteKey);
  return outcome;
}
