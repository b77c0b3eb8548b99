import { asDeleted } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference, writeSite } from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** Outcome of deleting; `conflict` if somebody else has changed the site in the meantime. */
export type DeleteSiteAnswer = "deleted" | "not_found" | "conflict";

/**
 * Removes a site and invalidates all its keys at once; it can be restored for 7 days (spec 1,
 * Delete Site; D12, states).
 */
export async function deleteSite(
  ports: Ports,
  reference: SiteReference,
): Promise<DeleteSiteAnswer> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return "not_found";
  const outcome = await writeSite(
    ports,
    { ...reference, action: "site_deleted" },
    site,
    asDeleted(site, ports.clock.nowMs()),
  );
  return outcome === "stored" ? "deleted" : "conflict";
}
