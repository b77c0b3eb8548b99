import type { Site } from "../../domain/site/site.ts";
import { parseNamedAddress } from "../../domain/visitor/ip-address.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { gatherNetworkEvidence } from "../visitor/network-evidence.ts";

type Ports = Pick<
  ServicePorts,
  "cryptography" | "siteLoad" | "tokenUsage" | "localLimiter" | "networkLists"
>;

/**
 * Whether the site's server named something that is no address (D5, binding). A site without
 * binding ignores it.
 */
export function isNamedAddressUnreadable({ binding }: Site, remoteIp: string | undefined): boolean {
  return binding !== "off" && remoteIp !== undefined && parseNamedAddress(remoteIp) === undefined;
}

/**
 * The history of the network of the address that the site's server names; nothing if that is no IP
 * address.
 */
export function findNamedNetwork(
  ports: Ports,
  { siteKey }: Site,
  remoteIp: string | undefined,
  nowMs: number,
) {
  const address = remoteIp === undefined ? undefined : parseNamedAddress(remoteIp);
  if (address === undefined) return {};
  const client = clientScope(ports.cryptography, address);
  return gatherNetworkEvidence(ports, {
    scope: `score:${siteKey}`,
    siteKey,
    client,
    address,
    nowMs,
  });
}
