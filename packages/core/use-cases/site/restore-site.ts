import { asRestored, type Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import {
  createSecret,
  findDeletedSite,
  type SiteReference,
  writeSite,
} from "../../services/site/own-site.ts";
import { replaceUnseenSecret } from "../../services/site/replace-unseen-secret.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/**
 * The restored site with its new secret key, shown only this once; `name_taken` if another site now
 * has its name.
 */
export type RestoreSiteAnswer =
  | { readonly kind: "restored"; readonly site: Site; readonly secretKey: string }
  | { readonly kind: "not_found" | "name_taken" | "conflict" };

/**
 * Restores a deleted site with a new secret key; the old ones stay invalid (D12, states). A repeat
 * replaces the key that the first request made.
 */
export async function restoreSite(
  ports: Ports,
  reference: SiteReference,
): Promise<RestoreSiteAnswer> {
  const made = reference.change?.made;
  if (made !== undefined) {
    const answer = await replaceUnseenSecret(ports, reference, made);
    return answer.kind === "replaced" ? { ...answer, kind: "restored" } : answer;
  }
  const site = await findDeletedSite(ports, reference);
  if (site === undefined) return { kind: "not_found" };
  const { secretKey, record } = createSecret(ports);
  const restored = asRestored(site, record);
  const outcome = await writeSite(ports, { ...reference, action: "site_restored" }, site, restored);
  return outcome === "stored" ? { kind: "restored", site: restored, secretKey } : { kind: outcome };
}
