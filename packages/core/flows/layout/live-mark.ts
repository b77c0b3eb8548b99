import type { Challenge } from "@stile/pow/challenge";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "../visitor/key-reference.ts";

/** Bytes at the end of a challenge's id that are its mark; those before are random, 96 bits of them. */
const MARK_BYTES = 4;

type Marked = Pick<Challenge, "id" | "keyId" | "issuedAtMs">;

function markOf(cryptography: Cryptography, { id, keyId, issuedAtMs }: Marked): Uint8Array {
  // Shorter than what chooses its scenes under the same key, so neither is the other.
  const key = keyReference(keyId, "layout", issuedAtMs);
  return (cryptography.mac(key, id.subarray(0, -MARK_BYTES)) ?? new Uint8Array(MARK_BYTES)).subarray(0, MARK_BYTES);
}

/**
 * The id of a challenge under which layouts count, which nobody but the service tells from any other. So a challenge knows for what it
 * was asked, and looks as it did to nodes of the version before.
 */
export function markLive(cryptography: Cryptography, made: Marked): Uint8Array {
  const id = made.id.slice();
  id.set(markOf(cryptography, made), id.length - MARK_BYTES);
  return id;
}

/** Whether layouts counted where and when it was issued; of ids without a mark one in 2^32 looks as if. */
export function isMarkedLive(cryptography: Cryptography, challenge: Marked): boolean {
  return cryptography.isEqual(markOf(cryptography, challenge), challenge.id.subarray(-MARK_BYTES));
}
