import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { Challenge } from "@stile/pow/challenge";
import type { Batch } from "@stile/protocol/batch";
import { readBatch } from "@stile/protocol/read-batch";
import { lengthPrefixed } from "../../domain/bytes.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "../visitor/key-reference.ts";

/**
 * A batch with its receipt: that the service had it when it issued the challenge. The page submits
 * both (D9, submission).
 */
export type ReceiptedBatch = { readonly batch: string; readonly receipt: string };

/** Bytes of a receipt; a multiple of 3, so its base64url text has no unused bits to change. */
const RECEIPT_BYTES = 15;

function macOf(
  cryptography: Cryptography,
  { keyId, issuedAtMs, id }: Challenge,
  batch: string,
): Uint8Array {
  const key = keyReference(keyId, "receipt", issuedAtMs);
  const mac = cryptography.mac(key, lengthPrefixed([id, batch])) ?? new Uint8Array(0);
  return mac.subarray(0, RECEIPT_BYTES);
}

/**
 * Signs that the batch was there when the challenge was issued. The signature uses the challenge's
 * own time, so nothing has to be stored and every node can check it.
 */
export function giveReceipt(
  cryptography: Cryptography,
  challenge: Challenge,
  batch: string,
): string {
  return encodeBase64url(macOf(cryptography, challenge, batch));
}

/**
 * The page's observations when it asked for the challenge; "none" if it submits nothing, "forged"
 * if invented.
 */
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
