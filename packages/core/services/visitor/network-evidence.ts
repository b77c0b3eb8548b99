import type { RiskEvidence } from "@stile/risk/evidence";
import { householdPrefix, providerPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { LocalLimiter } from "../../ports/rate-limiter.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { keyReference } from "./key-reference.ts";
import { digestAddress, networkName } from "./visitor-digests.ts";

type Ports = Pick<
  ServicePorts,
  "cryptography" | "siteLoad" | "tokenUsage" | "localLimiter" | "networkLists"
>;

/** The visitor whose network is asked about. */
export type NetworkQuestion = {
  /**
   * Prefix of the counters. Addresses that a site's server names count for that site only;
   * otherwise it could make another site's visitors look suspicious. Submissions, which cost work,
   * count for all sites.
   */
  readonly scope: string;
  readonly siteKey: string;
  /** The client's name in the counters. */
  readonly client: string;
  /** If undefined, the client's network is unknown, and only the client is counted. */
  readonly address: IpAddress | undefined;
  readonly nowMs: number;
};

/**
 * Counts one request under the scope and returns the rate of the last minute. It refuses nobody.
 */
function countUnder(limiter: LocalLimiter, scope: string, nowMs: number): number {
  limiter.consume({ scope, perMinute: Number.MAX_SAFE_INTEGER, nowMs });
  return limiter.ratePerMinute(scope, nowMs);
}

/** The network's name in the counters for this day; undefined if the address is unknown. */
export function networkOf(
  cryptography: Cryptography,
  address: IpAddress | undefined,
  nowMs: number,
): string | undefined {
  return networkName(
    digestAddress(
      cryptography,
      keyReference(cryptography.currentKeyId(), "binding", nowMs),
      address,
    ),
  );
}

/** The name of the address's IPv6 /32 in the counters; undefined for IPv4 (D10, limits). */
export function providerOf(
  cryptography: Cryptography,
  address: IpAddress | undefined,
): string | undefined {
  const prefix = address && providerPrefix(address);
  return prefix && cryptography.addressDigest(prefix);
}

/** The name of the address's IPv6 /56 in the counters; undefined for IPv4 (D10, limits). */
export function householdOf(
  cryptography: Cryptography,
  address: IpAddress | undefined,
): string | undefined {
  const prefix = address && householdPrefix(address);
  return prefix && cryptography.addressDigest(prefix);
}

/**
 * Counts the visitor and returns their network's history: how busy it is, its lists, and its
 * tokens' usage.
 */
export function gatherNetworkEvidence(
  ports: Ports,
  question: NetworkQuestion,
): Pick<RiskEvidence, "velocity" | "network" | "farm"> {
  const { localLimiter } = ports;
  const { scope, siteKey, address, nowMs } = question;
  const perMinute = countUnder(localLimiter, `${scope}:${question.client}`, nowMs);
  const velocity = { perMinute, siteRatio: ports.siteLoad.ratio(siteKey, nowMs) };
  if (address === undefined) return { velocity };
  const network = networkOf(ports.cryptography, address, nowMs);
  if (network === undefined) return { velocity };
  const networkPerMinute = countUnder(localLimiter, `${scope}-network:${network}`, nowMs);
  return {
    velocity: { ...velocity, networkPerMinute },
    network: ports.networkLists.find(address),
    farm: ports.tokenUsage.find(siteKey, network, nowMs),
  };
}
