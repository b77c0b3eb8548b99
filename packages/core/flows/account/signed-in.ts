import { encodeBase64url } from "@stile/pow/base64url";
import type { AuditAction } from "@stile/protocol/dashboard-events";
import { type Actor, type AuditEntry, actorOf, type Change } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { Session } from "../../domain/account/session.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

/** The member who makes a request, and the session it comes from. */
export type SignedIn = { readonly member: Member; readonly session: Session };

/** The browser that is signing in. */
export type Client = {
  /** Undefined if unknown. */
  readonly address: IpAddress | undefined;
  /** The browser in words. */
  readonly device: string;
  /** What the browser kept from an earlier sign-in, if any. */
  readonly deviceToken?: string | undefined;
};

const TOKEN_BYTES = 32;
const ID_BYTES = 12;

/** A bearer's token (256 random bits in base64url) and the digest of it that is stored. */
export function createToken(cryptography: Cryptography): { token: string; tokenDigest: string } {
  const token = encodeBase64url(cryptography.randomBytes(TOKEN_BYTES));
  return { token, tokenDigest: digestToken(cryptography, token) };
}

/** What is stored of a token: SHA-256 of its text, base64url. */
export function digestToken(cryptography: Cryptography, token: string): string {
  return encodeBase64url(cryptography.digest(token));
}

/** A new id with its prefix, such as `usr_...`. */
export function createId(cryptography: Cryptography, prefix: "usr" | "ses" | "lnk"): string {
  return `${prefix}_${encodeBase64url(cryptography.randomBytes(ID_BYTES))}`;
}

/** An audit entry about a member of the account; by default, `actor` is that member. */
export function accountEntry(
  ports: Pick<ServicePorts, "clock">,
  member: { readonly userId: string; readonly email: string; readonly accountId: string },
  action: AuditAction,
  about: { subject?: string; changes?: readonly Change[]; actor?: Actor } = {},
): AuditEntry {
  const { subject = member.email, changes = [], actor = actorOf(member) } = about;
  return { accountId: member.accountId, atMs: ports.clock.nowMs(), actor, action, subject, siteKey: null, changes };
}
