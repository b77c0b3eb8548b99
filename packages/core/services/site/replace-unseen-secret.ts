import type { ChangeEntry } from "../../domain/account/audit.ts";
import { type Site, withUnseenReplaced } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { createSecret, findOwnSite, type OwnSite } from "./own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/**
 * The site with another secret key. `conflict`: somebody made a later key meanwhile, or changed the
 * site.
 */
export type ReplaceUnseenAnswer =
  | { readonly kind: "replaced"; readonly site: Site; readonly secretKey: string }
  | { readonly kind: "not_found" | "conflict" };

/**
 * Repeats a change whose answer was lost: replaces the secret key that the change made. Nobody has
 * seen that key, so it gets no grace, and the audit log has the change already. `made` is its
 * entry.
 */
export async function replaceUnseenSecret(
  ports: Ports,
  own: OwnSite,
  made: ChangeEntry,
): Promise<ReplaceUnseenAnswer> {
  const site = await findOwnSite(ports, own);
  if (site === undefined) return { kind: "not_found" };
  const unseen = site.secretKeys.find(({ replacedAtMs }) => replacedAtMs === null);
  // The entry is written after its key is made, so a younger key comes from a later change.
  if (unseen === undefined || unseen.createdAtMs > made.atMs) return { kind: "conflict" };
  const { secretKey, record } = createSecret(ports);
  // The time of the first key stays, so that a third request recognises the key as well.
  const after = withUnseenReplaced(site, { ...record, createdAtMs: unseen.createdAtMs });
  const outcome = await ports.sites.replaceSite(after, site.revision);
  ports.directory.forget(site.siteKey);
  return outcome === "stored" ? { kind: "replaced", site: after, secretKey } : { kind: "conflict" };
}
