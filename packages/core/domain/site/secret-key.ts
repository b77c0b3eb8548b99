import { GRACE_SECONDS } from "@stile/protocol/limits";

/** The stored record of a secret key: never the key itself (D13, formats). */
export type SecretKeyRecord = {
  /** SHA-256 of the whole key text, base64url. */
  readonly digest: string;
  /** The last four characters, to tell keys apart in the dashboard. */
  readonly lastFour: string;
  readonly createdAtMs: number;
  /**
   * When a rotation replaced it; null for the current key. A revoked key is removed (D12, states).
   */
  readonly replacedAtMs: number | null;
};

/**
 * State of a secret key at a moment (D12, states); it is in grace exactly while
 * `now < replacedAt + 24 h`.
 */
export function secretKeyState(
  secret: SecretKeyRecord,
  nowMs: number,
): "active" | "grace" | "dead" {
  if (secret.replacedAtMs === null) return "active";
  return nowMs < secret.replacedAtMs + GRACE_SECONDS * 1000 ? "grace" : "dead";
}
