import { mayActAs, type Role } from "@stile/protocol/roles";

/** A registered passkey (WebAuthn credential). */
export type Passkey = {
  /** The credential id, base64url. */
  readonly passkeyId: string;
  readonly name: string;
  /** COSE public key. */
  readonly publicKey: Uint8Array;
  /** The authenticator's signature counter; 0 where it keeps none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
};

/** The authenticator app of a member. */
export type Totp = {
  /** The shared secret, sealed by the vault. */
  readonly sealedSecret: Uint8Array;
  /** The last 30-second step whose code was taken: none is taken twice. */
  readonly lastStep: number;
};

/** A person who may sign in to the dashboard; belongs to one account. Written whole, with its passkeys. */
export type Member = {
  readonly userId: string;
  readonly accountId: string;
  /** Signs in with it: trimmed, NFC, lower case; unique in the service. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** argon2id, in PHC form; null until one was chosen. */
  readonly passwordHash: string | null;
  readonly totp: Totp | null;
  readonly passkeys: readonly Passkey[];
  /** Digests of the recovery codes that nobody used yet; a used one goes with the write that it allowed. */
  readonly recoveryCodes: readonly string[];
  readonly createdAtMs: number;
  readonly lastSignInAtMs: number | null;
  /** Grows by one with every change. */
  readonly revision: number;
};

/** Whether a member of the role `actor` may invite, change, reset and remove members of the role `target`. */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === "owner" || (actor === "admin" && !mayActAs(target, "admin"));
}

/** Whether the member has an authenticator app or a passkey. */
export function hasSecondFactor({ totp, passkeys }: Pick<Member, "totp" | "passkeys">): boolean {
  return totp !== null || passkeys.length > 0;
}

/** A member without any second factor; recovery codes stand in for one, and are worth nothing without it. */
export const NO_SECOND_FACTOR = { totp: null, passkeys: [], recoveryCodes: [] } as const;
