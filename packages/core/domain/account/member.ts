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

/** A signed-in browser. Only the digest of its token is kept. */
export type Session = {
  readonly sessionId: string;
  /** SHA-256 of the cookie's token, base64url. */
  readonly tokenDigest: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  /** When the member last proved who it is (sign-in or step-up). */
  readonly provenAtMs: number;
  /** Browser and system in words. */
  readonly device: string;
};

/** Idle and absolute life of a session, and how long a proof counts as fresh, in ms. */
export const SESSION_MS = { idle: 30 * 60_000, absolute: 12 * 3_600_000, fresh: 10 * 60_000 } as const;

/** A link that lets its bearer become a member once, or choose new credentials. Only the digest of its token is kept. */
export type Link = {
  readonly linkId: string;
  readonly tokenDigest: string;
  readonly purpose: "setup" | "invite" | "reset";
  readonly accountId: string;
  /** The member whose credentials are reset; null where a new one is made. */
  readonly userId: string | null;
  readonly role: Role;
  /** Of a reset link: whoever made it decided that its member goes on without app, passkeys and recovery codes. */
  readonly removesSecondFactors: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

/** Life of links in ms. */
export const LINK_MS = { setup: 15 * 60_000, invite: 3 * 86_400_000, reset: 60 * 60_000 } as const;

/** Whether a member of the role `actor` may invite, change, reset and remove members of the role `target`. */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === "owner" || (actor === "admin" && !mayActAs(target, "admin"));
}

/** Tries at the second factor that one reset link allows: six digits are guessed in far fewer than a link's life else. */
export const LINK_CODE_TRIES = 5;

/** Whether the member has an authenticator app or a passkey. */
export function hasSecondFactor({ totp, passkeys }: Pick<Member, "totp" | "passkeys">): boolean {
  return totp !== null || passkeys.length > 0;
}

/** A member without any second factor; recovery codes stand in for one, and are worth nothing without it. */
export const NO_SECOND_FACTOR = { totp: null, passkeys: [], recoveryCodes: [] } as const;

/** When a session ends unless it is used again: its idle or its absolute life, whichever ends first. */
export function sessionExpiresAtMs(session: Session): number {
  return Math.min(session.lastSeenAtMs + SESSION_MS.idle, session.createdAtMs + SESSION_MS.absolute);
}
