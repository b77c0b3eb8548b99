import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { Challenge } from "@stile/pow/challenge";
import type { Batch } from "@stile/protocol/batch";
import { readBatch } from "@stile/protocol/read-batch";
import { lengthPrefixed } from "../../domain/bytes.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "../visitor/key-reference.ts";

/** A batch and the service's word that it had it when it issued the challenge, as the page hands them in (D9). */
export type ReceiptedBatch = { readonly batch: string; readonly receipt: string };

/** Bytes of a receipt; a multiple of 3, so its text has no trailing bits to play with. */
const RECEIPT_BYTES = 15;

function macOf(cryptography: Cryptography, { keyId, issuedAtMs, id }: Challenge, batch: string): Uint8Array {
  const key = keyReference(keyId, "receipt", issuedAtMs);
  const mac = cryptography.mac(key, lengthPrefixed([id, batch])) ?? new Uint8Array(0);
  return mac.subarray(0, RECEIPT_BYTES);
}

/**
 * Signs that the batch was there when the challenge was issued. The time is the challenge's own, so that nothing has to be stored
 * and every node can check it.
 */
export function giveReceipt(cryptography: Cryptography, challenge: Challenge, batch: string): string {
  return encodeBase64url(macOf(cryptography, challenge, batch));
}

/** What the page had seen when it asked for this challenge; "none" where it hands in nothing, "forged" where it made that up. */
export function openReceipt(
  cryptography: Cryptography,
  challenge: Challenge,
  earlier: ReceiptedBatch | undefined,
): Batch | "none" | "forged" {
  if (earlier === undefined) return "none";
  const given = decodeBase64url(earlier.receipt) ?? new Uint8Array(0);
  const expected = macOf(cryptography, challenge, earlier.batch);
  const isGenuine = expected.length === RECEIPT_BYTES && cryptography.isEqual(expected, given);
  return (isGenuine ? readBatch(earlier.batch) : undefined) ?? "forged";
}
