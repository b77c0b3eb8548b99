import { type ClientAddress, clientPrefix } from "../../domain/visitor/client-address.ts";
import type { Cryptography } from "../../ports/cryptography.ts";

/** The name of a client in this process's counters (D10, D14); all unknown clients share one. */
export function clientScope(cryptography: Cryptography, address: ClientAddress | undefined): string {
  return address === undefined ? "unknown" : cryptography.addressDigest(clientPrefix(address));
}
