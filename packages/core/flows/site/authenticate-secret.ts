import { encodeBase64url } from "@stile/pow/base64url";
import { isSecretKey } from "@stile/protocol/key-formats";
import type { LimitState } from "../../domain/rate-window.ts";
import { hasLiveSecret, type Site } from "../../domain/site/site.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../visitor/client-scope.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "settings" | "directory" | "keyUsage" | "localLimiter" | "securityEvents"
>;

/** Who calls: the text behind `Bearer`, undefined if there was none, and the peer, for the limit on wrong keys. */
export type Caller = { readonly secretKey: string | undefined; readonly address: IpAddress | undefined };

/** The site whose secret was shown, or why there is none (spec 5, D2). */
export type Authentication =
  | { readonly kind: "site"; readonly site: Site }
  | { readonly kind: "missing_secret" }
  | { readonly kind: "invalid_secret" }
  /** Too many wrong keys from this address (D2). */
  | { readonly kind: "caller_limited"; readonly limit: LimitState };

/** Finds the site of a secret key: unknown, revoked and out-of-grace keys are all `invalid_secret` (D2, D12). */
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
