import type { Challenge } from "@stile/pow/challenge";
import type { Cryptography } from "../../ports/cryptography.ts";
import { keyReference } from "../visitor/key-reference.ts";

/** How many bytes at the end of a challenge's id are its mark. The bytes before them are random, 96 bits. */
const MARK_BYTES = 4;

type Marked = Pick<Challenge, "id" | "keyId" | "issuedAtMs">;

function markOf(cryptography: Cryptography, { id, keyId, issuedAtMs }: Marked): Uint8Array {
  // The input is shorter than the one that chooses scenes under the same key, so neither MAC reveals the other.
  const key = keyReference(keyId, "layout", issuedAtMs);
  return (cryptography.mac(key, id.subarray(0, -MARK_BYTES)) ?? new Uint8Array(MARK_BYTES)).subarray(0, MARK_BYTES);
}

/**
 * The id of a challenge for which layouts count; only the service can tell it from other ids. So the challenge itself
 * records this, and looks as usual to nodes of the previous version.
 */
export function markLive(cryptography: Cryptography, made: Marked): Uint8Array {
  const id = made.id.slice();
  id.set(markOf(cryptography, made), id.length - MARK_BYTES);
  return id;
}

/** Whether layouts counted at the site when the challenge was issued; wrongly true for one unmarked id in 2^32. */
export function isMarkedLive(cryptography: Cryptography, challenge: Marked): boolean {
  return cryptography.isEqual(markOf(cryptography, challenge), challenge.id.subarray(-MARK_BYTES));
}
