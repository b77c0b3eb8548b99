import { clientPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { Cryptography } from "../../ports/cryptography.ts";

/**
 * The name of a client in this process's counters (D10, limits; D14, client address). All unknown
 * clients share one name.
 */
export function clientScope(cryptography: Cryptography, address: IpAddress | undefined): string {
  return address === undefined ? "unknown" : cryptography.addressDigest(clientPrefix(address));
}
