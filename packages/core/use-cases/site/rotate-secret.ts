import { MOST_SECRET_KEYS } from "@stile/protocol/limits";
import { type Site, withRotatedSecret } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import {
  createSecret,
  findOwnSite,
  type SiteReference,
  writeSite,
} from "../../services/site/own-site.ts";
import { replaceUnseenSecret } from "../../services/site/replace-unseen-secret.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "directory" | "sites">;

/**
 * The site with its new secret key, shown only this once. `too_many_keys`: too many old keys are
 * still in grace.
 */
export type RotateSecretAnswer =
  | { readonly kind: "rotated"; readonly site: Site; readonly secretKey: string }
  | { readonly kind: "not_found" | "conflict" | "too_many_keys" };

/**
 * Makes a new secret key; the previous one stays valid for its 24 h of grace (spec 5.3; D12,
 * states). A repeat replaces the key that the first request made.
 */
export async function rotateSecret(
  ports: Ports,
  reference: SiteReference,
): Promise<RotateSecretAnswer> {
  const made = reference.change?.made;
  if (made !== undefined) {
    const answer = await replaceUnseenSecret(ports, reference, made);
    return answer.kind === "replaced" ? { ...answer, kind: "rotated" } : answer;
  }
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return { kind: "not_found" };
  const { secretKey, record } = createSecret(ports);
  const rotated = withRotatedSecret(site, record, ports.clock.nowMs());
  if (rotated.secretKeys.length > MOST_SECRET_KEYS) return { kind: "too_many_keys" };
  const outcome = await writeSite(ports, { ...reference, action: "secret_rotated" }, site, rotated);
  return outcome === "stored"
    ? { kind: "rotated", site: rotated, secretKey }
    : { kind: "conflict" };
}
