import type { KeyPurpose, KeyReference } from "../../ports/cryptography.ts";

const DAY_MS = 86_400_000;

/** The derived key for something made at that moment (D4, sealed token: the key of its UTC day). */
export function keyReference(keyId: number, purpose: KeyPurpose, madeAtMs: number): KeyReference {
  return { keyId, purpose, day: Math.floor(madeAtMs / DAY_MS) };
}
