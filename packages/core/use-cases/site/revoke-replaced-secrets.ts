import { withoutReplacedSecrets } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference, writeSite } from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/** Outcome of "revoke now"; `conflict` if somebody else has changed the site in the meantime. */
export type RevokeAnswer = "revoked" | "not_found" | "conflict";

/** Ends the grace of all replaced secret keys at once (D12, states). */
export async function revokeReplacedSecrets(
  ports: Ports,
  reference: SiteReference,
): Promise<RevokeAnswer> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return "not_found";
  const after = withoutReplacedSecrets(site);
  if (after.secretKeys.length === site.secretKeys.length) return "revoked";
  const outcome = await writeSite(ports, { ...reference, action: "secrets_revoked" }, site, after);
  return outcome === "stored" ? "revoked" : "conflict";
}
