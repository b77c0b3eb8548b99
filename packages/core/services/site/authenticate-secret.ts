import { encodeBase64url } from "@stile/pow/base64url";
import { isSecretKey } from "@stile/protocol/key-formats";
import type { LimitState } from "../../domain/rate-window.ts";
import { hasLiveSecret, type Site } from "../../domain/site/site.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../visitor/client-scope.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "keyUsage"
  | "localLimiter"
  | "securityEvents"
>;

/**
 * The caller: the text after `Bearer`, undefined if there is none, and the peer's address, to limit
 * wrong keys.
 */
export type Caller = {
  readonly secretKey: string | undefined;
  readonly address: IpAddress | undefined;
};

/** The site that the secret key belongs to, or why there is none (spec 5; D2, redemption). */
export type Authentication =
  | { readonly kind: "site"; readonly site: Site }
  | { readonly kind: "missing_secret" }
  | { readonly kind: "invalid_secret" }
  /** This address sent too many wrong keys (D2, redemption). */
  | { readonly kind: "caller_limited"; readonly limit: LimitState };

/**
 * Finds the site of a secret key; `invalid_secret` if the key is unknown, revoked or past its grace
 * (D2, redemption; D12, states).
 */
export async function authenticateSecret(ports: Ports, caller: Caller): Promise<Authentication> {
  if (caller.secretKey === undefined) return { kind: "missing_secret" };
  if (isSecretKey(caller.secretKey)) {
    const digest = encodeBase64url(ports.cryptography.digest(caller.secretKey));
    const site = await ports.directory.findSiteBySecret(digest);
    const nowMs = ports.clock.nowMs();
    if (site !== undefined && hasLiveSecret(site, digest, nowMs)) {
      ports.keyUsage.record(digest, nowMs);
      return { kind: "site", site };
    }
  }
  const limit = ports.localLimiter.consume({
    scope: `wrong-secret:${clientScope(ports.cryptography, caller.address)}`,
    perMinute: ports.settings.limits.wrongSecret,
    nowMs: ports.clock.nowMs(),
  });
  ports.securityEvents.record(limit.isAdmitted ? "wrong_secret_key" : "wrong_secret_limited");
  return limit.isAdmitted ? { kind: "invalid_secret" } : { kind: "caller_limited", limit };
}
