import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type OwnSite } from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "sites" | "keyUsage">;

/**
 * A site of the account that is not deleted, and when each secret key was last accepted, by digest
 * (epoch ms).
 */
export type SiteWithUses = { readonly site: Site; readonly lastUses: ReadonlyMap<string, number> };

/** Undefined if the account has no such site, or it is deleted. */
export async function getSite(ports: Ports, reference: OwnSite): Promise<SiteWithUses | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  return {
    site,
    lastUses: await ports.keyUsage.findLastUses(site.secretKeys.map(({ digest }) => digest)),
  };
}
