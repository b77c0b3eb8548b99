import type { Passkey } from "../../domain/account/member.ts";

/**
 * The queue in which a password waits to be hashed: `member` for a known client (by a session, a
 * link, or a browser that signed in before), `stranger` for everybody else. Neither can take the
 * other's place.
 */
export type HashQueue = "member" | "stranger";

/** Slow password hashing: argon2id, 19 MiB, two passes, at most one at a time per queue. */
export interface Passwords {
  /**
   * The PHC string of a new password. Undefined if too many are waiting: then answer 503 or 429,
   * never skip it.
   */
  hash(password: string): Promise<string | undefined>;
  /**
   * Checks a password. With `null` it does the same work and returns false, so that timing reveals
   * nothing. Undefined as for `hash`. The default queue is that of members.
   */
  verify(
    password: string,
    passwordHash: string | null,
    queue?: HashQueue,
  ): Promise<boolean | undefined>;
}

/**
 * Seals members' small secrets under keys derived from the master key. Each purpose has its own;
 * they change only with `rekey`.
 */
export interface Vault {
  seal(secret: Uint8Array, owner: string): Uint8Array;
  /** The secret; undefined if anything was changed or it belongs to another owner. */
  open(sealed: Uint8Array, owner: string): Uint8Array | undefined;
}

/** Codes of authenticator apps (RFC 6238: SHA-1, 6 digits, 30 s). */
export interface TotpCodes {
  createSecret(): Uint8Array;
  /** Secret in base32, otpauth URI and QR code, for the app. */
  describe(
    secret: Uint8Array,
    email: string,
  ): { readonly secret: string; readonly uri: string; readonly qr: readonly string[] };
  /** The time step that the code belongs to, at most one off; undefined if the code is wrong. */
  findStep(secret: Uint8Array, code: string, nowMs: number): number | undefined;
}

/** The site that a passkey is for. `rpId` is the host of the dashboard's origin. */
export type RelyingParty = { readonly origin: string; readonly rpId: string };

/**
 * WebAuthn ceremonies. JSON shapes are those of the browser's `parse…OptionsFromJSON` and `toJSON`.
 */
export interface PasskeyCeremonies {
  createRegistration(
    party: RelyingParty,
    member: { userId: string; email: string; name: string; passkeys: readonly Passkey[] },
  ): Promise<{ readonly options: unknown; readonly challenge: string }>;
  /** The new passkey without name and times; undefined if the response is not valid. */
  verifyRegistration(
    party: RelyingParty,
    challenge: string,
    response: unknown,
  ): Promise<Pick<Passkey, "passkeyId" | "publicKey" | "counter" | "transports"> | undefined>;
  createSignIn(
    party: RelyingParty,
  ): Promise<{ readonly options: unknown; readonly challenge: string }>;
  /**
   * The authenticator's new counter; undefined if the response is not valid. Requires user
   * verification.
   */
  verifySignIn(
    party: RelyingParty,
    challenge: string,
    response: unknown,
    passkey: Passkey,
  ): Promise<{ readonly counter: number } | undefined>;
}
