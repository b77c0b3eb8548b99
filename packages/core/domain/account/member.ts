import { mayActAs, type Role } from "@stile/protocol/roles";

/** A registered passkey (WebAuthn credential). */
export type Passkey = {
  /** The credential id, base64url. */
  readonly passkeyId: string;
  readonly name: string;
  /** COSE public key. */
  readonly publicKey: Uint8Array;
  /** The authenticator's signature counter; 0 if it has none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
};

/** A member's authenticator app. */
export type Totp = {
  /** The shared secret, sealed by the vault. */
  readonly sealedSecret: Uint8Array;
  /** The last 30-second step whose code was accepted, so that no code is accepted twice. */
  readonly lastStep: number;
};

/**
 * A person of one account who may sign in to the dashboard. Stored as a whole, passkeys included.
 */
export type Member = {
  readonly userId: string;
  readonly accountId: string;
  /** The email to sign in with: trimmed, NFC, lower case; unique in the service. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** argon2id in PHC form; null until a password is chosen. */
  readonly passwordHash: string | null;
  readonly totp: Totp | null;
  readonly passkeys: readonly Passkey[];
  /**
   * Digests of the unused recovery codes. The write that a code authorizes also removes its digest.
   */
  readonly recoveryCodes: readonly string[];
  readonly createdAtMs: number;
  readonly lastSignInAtMs: number | null;
  /** Grows by one with every change. */
  readonly revision: number;
};

/** The member with a change, as it is written over the revision that it was made from. */
export function changedMember(
  member: Member,
  change: Partial<Omit<Member, "userId" | "revision">>,
): Member {
  return { ...member, ...change, revision: member.revision + 1 };
}

/**
 * Whether a member with the role `actor` may invite, change, reset and remove members with the role
 * `target`.
 */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === "owner" || (actor === "admin" && !mayActAs(target, "admin"));
}

/** Whether the member has an authenticator app or a passkey. */
export function hasSecondFactor({ totp, passkeys }: Pick<Member, "totp" | "passkeys">): boolean {
  return totp !== null || passkeys.length > 0;
}

/**
 * The fields of a member without a second factor. Recovery codes only replace one, so they go too.
 */
export const NO_SECOND_FACTOR = { totp: null, passkeys: [], recoveryCodes: [] } as const;
