import type { IpAddress } from "./ip-address.ts";

/** The network a token is bound to: IPv4 /24, IPv6 /48 (D5, binding). */
export function bindingPrefix(address: IpAddress): Uint8Array {
  return address.bytes.subarray(0, address.family === 4 ? 3 : 6);
}

/**
 * A registry's usual allocation to one provider, an IPv6 /32 (65,536 networks); undefined for IPv4,
 * where it is less (D10, limits).
 */
export function providerPrefix({ family, bytes }: IpAddress): Uint8Array | undefined {
  return family === 4 ? undefined : bytes.subarray(0, 4);
}

/**
 * A provider's usual allocation to one household or machine, an IPv6 /56; undefined for IPv4, where
 * it is an address (D10, limits).
 */
export function householdPrefix({ family, bytes }: IpAddress): Uint8Array | undefined {
  return family === 4 ? undefined : bytes.subarray(0, 7);
}

/** The network of one client for limits: IPv4 /32, IPv6 /64 (D10, limits). */
export function clientPrefix(address: IpAddress): Uint8Array {
  return address.bytes.subarray(0, address.family === 4 ? 4 : 8);
}
