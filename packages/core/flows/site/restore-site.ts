import { asRestored, type Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { createSecret, findOwnSite, type SiteReference, writeSite } from "./own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** The restored site with its new secret key, shown this once; `name_taken` if a living site has its name by now. */
export type RestoreSiteAnswer =
  | { readonly kind: "restored"; readonly site: Site; readonly secretKey: string }
  | { readonly kind: "not_found" | "name_taken" | "conflict" };

/** Brings a deleted site back with a new secret; the former ones stay dead (D12). */
export async function restoreSite(ports: Ports, reference: SiteReference): Promise<RestoreSiteAnswer> {
  const site = await findOwnSite(ports, reference, true);
  if (site === undefined) return { kind: "not_found" };
  const { secretKey, record } = createSecret(ports);
  const restored = asRestored(site, record);
  const outcome = await writeSite(ports, { actor: reference.actor, action: "site_restored" }, site, restored);
  return outcome === "stored" ? { kind: "restored", site: restored, secretKey } : { kind: outcome };
}
