import { lengthPrefixed } from "../../domain/bytes.ts";
import { clientPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";

const NO_ADDRESS = new Uint8Array(0);
/** Of an overlong header the first characters tell browsers apart as well. */
const LANGUAGE_CHARACTERS = 256;

/**
 * The name of one browser at one address in this process's counters (D9, D14): what is demanded of it is not demanded of
 * its neighbours behind the same address, as far as they come with another browser or in another language.
 */
export function browserScope(cryptography: Cryptography, { address, userAgent, riskHeaders }: Visitor): string {
  const language = riskHeaders["accept-language"]?.slice(0, LANGUAGE_CHARACTERS) ?? "";
  const prefix = address === undefined ? NO_ADDRESS : clientPrefix(address);
  return cryptography.addressDigest(lengthPrefixed([prefix, userAgent, language]));
}
