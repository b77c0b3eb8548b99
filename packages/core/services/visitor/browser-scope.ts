import { lengthPrefixed } from "../../domain/bytes.ts";
import { clientPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";

const NO_ADDRESS = new Uint8Array(0);
/** The beginning of an overlong header is enough to distinguish browsers. */
const LANGUAGE_CHARACTERS = 256;

/**
 * The name of one browser at one address in this process's counters (D9, submission; D14, client
 * address). A demand on it does not affect neighbours behind the same address, if they use another
 * browser or language.
 */
export function browserScope(
  cryptography: Cryptography,
  { address, userAgent, riskHeaders }: Visitor,
): string {
  const language = riskHeaders["accept-language"]?.slice(0, LANGUAGE_CHARACTERS) ?? "";
  const prefix = address === undefined ? NO_ADDRESS : clientPrefix(address);
  return cryptography.addressDigest(lengthPrefixed([prefix, userAgent, language]));
}
