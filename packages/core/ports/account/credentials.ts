import type { Passkey } from "../../domain/account/member.ts";

/**
 * In which queue a hash waits: `member` for who is known (a session, a link, a browser that signed in before), `stranger`
 * for everybody else. Each has a place of its own that the other never takes.
 */
export type HashQueue = "member" | "stranger";

/** Slow password hashing, at most one at once in each queue (argon2id, 19 MiB, two passes). */
export interface Passwords {
  /** The PHC string of a new password; undefined if too many wait already: answer 503 or 429, never skip it. */
  hash(password: string): Promise<string | undefined>;
  /**
   * With `null` it does the same work and answers false, so that time tells nothing; undefined as above. The queue is
   * that of members unless told otherwise.
   */
  verify(password: string, passwordHash: string | null, queue?: HashQueue): Promise<boolean | undefined>;
}

/** Seals small secrets of members under a key of the master key that never rotates away, a key for each purpose. */
export interface Vault {
  seal(secret: Uint8Array, owner: string): Uint8Array;
  /** Undefined if anything was changed or it belongs to another owner. */
  open(sealed: Uint8Array, owner: string): Uint8Array | undefined;
}

/** Codes of authenticator apps (RFC 6238: SHA-1, 6 digits, 30 s). */
export interface TotpCodes {
  createSecret(): Uint8Array;
  /** Base32 and otpauth URI, for the app. */
  describe(
    secret: Uint8Array,
    email: string,
  ): { readonly secret: string; readonly uri: string; readonly qr: readonly string[] };
  /** The step the code belongs to, at most one step off; undefined if it is wrong. */
  findStep(secret: Uint8Array, code: string, nowMs: number): number | undefined;
}

/** What a ceremony is about; `rpId` is the host of the dashboard's origin. */
export type RelyingParty = { readonly origin: string; readonly rpId: string };

/** WebAuthn ceremonies. JSON shapes are those of the browser's `parse…OptionsFromJSON` and `toJSON`. */
export interface PasskeyCeremonies {
  createRegistration(
    party: RelyingParty,
    member: { userId: string; email: string; name: string; passkeys: readonly Passkey[] },
  ): Promise<{ readonly options: unknown; readonly challenge: string }>;
  /** The new passkey without name and times; undefined if the answer does not hold. */
  verifyRegistration(
    party: RelyingParty,
    challenge: string,
    response: unknown,
  ): Promise<Pick<Passkey, "passkeyId" | "publicKey" | "counter" | "transports"> | undefined>;
  createSignIn(party: RelyingParty): Promise<{ readonly options: unknown; readonly challenge: string }>;
  /** The authenticator's new counter; undefined if the answer does not hold. Requires user verification. */
  verifySignIn(
    party: RelyingParty,
    challenge: string,
    response: unknown,
    passkey: Passkey,
  ): Promise<{ readonly counter: number } | undefined>;
}
