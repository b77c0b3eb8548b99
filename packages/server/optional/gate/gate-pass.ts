import { lengthPrefixed } from "@stile/core/domain/bytes";
import type { IpAddress } from "@stile/core/domain/visitor/ip-address";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { digestAddress } from "@stile/core/services/visitor/visitor-digests";

type Ports = Pick<ServicePorts, "clock" | "cryptography">;

/** What a pass is good for: one site's visitors at one host, from one network. */
export type PassHolder = {
  readonly siteKey: string;
  readonly host: string;
  readonly address: IpAddress | undefined;
};

/** The signature of a pass that was made at that second with that service key. */
function signatureOf(
  { cryptography }: Ports,
  { siteKey, host, address }: PassHolder,
  keyId: number,
  madeAtSeconds: number,
): Uint8Array | undefined {
  const key = keyReference(keyId, "gate", madeAtSeconds * 1000);
  // Without its service key, an address can't be digested, and nothing can be signed.
  if (cryptography.keyedDigest(key, new Uint8Array(1)) === undefined) return undefined;
  const { addressFamily, prefixDigest } = digestAddress(cryptography, key, address);
  const parts = [siteKey, host, `${addressFamily} ${madeAtSeconds}`, prefixDigest];
  return cryptography.mac(key, lengthPrefixed(parts));
}

/** A signed pass for a visitor who has just redeemed a token. It names nobody. */
export function makePass(ports: Ports, holder: PassHolder): string {
  const keyId = ports.cryptography.currentKeyId();
  const madeAtSeconds = Math.floor(ports.clock.nowMs() / 1000);
  const signature = signatureOf(ports, holder, keyId, madeAtSeconds);
  if (signature === undefined) throw new Error(`service key ${keyId} is unknown`);
  return `${keyId}.${madeAtSeconds}.${Buffer.from(signature).toString("base64url")}`;
}

/** Whether the pass was made for this holder in the last `lifeSeconds`. */
export function isPassValid(
  ports: Ports,
  pass: string,
  holder: PassHolder,
  lifeSeconds: number,
): boolean {
  const [, key, made, text = ""] = /^(\d{1,9})\.(\d{1,11})\.([\w-]{43})$/.exec(pass) ?? [];
  if (key === undefined || made === undefined) return false;
  const ageSeconds = ports.clock.nowMs() / 1000 - Number(made);
  if (ageSeconds < 0 || ageSeconds >= lifeSeconds) return false;
  if (ports.cryptography.isRetired(Number(key))) return false;
  const expected = signatureOf(ports, holder, Number(key), Number(made));
  return (
    expected !== undefined && ports.cryptography.isEqual(expected, Buffer.from(text, "base64url"))
  );
}
