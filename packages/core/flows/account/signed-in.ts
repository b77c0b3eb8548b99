import { encodeBase64url } from "@stile/pow/base64url";
import type { AuditAction } from "@stile/protocol/dashboard-events";
import { type Actor, type AuditEntry, actorOf, type Change } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { Session } from "../../domain/account/session.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

/** Who asks: a member with the session it asks in. */
export type SignedIn = { readonly member: Member; readonly session: Session };

/** The browser that signs in. */
export type Client = {
  /** Undefined if it can't be told. */
  readonly address: IpAddress | undefined;
  /** Its name in words. */
  readonly device: string;
  /** What it carries since it signed in before, if it did. */
  readonly deviceToken?: string | undefined;
};

const TOKEN_BYTES = 32;
const ID_BYTES = 12;

/** A bearer's token, 256 random bits in base64url, with the digest that is kept of it. */
export function createToken(cryptography: Cryptography): { token: string; tokenDigest: string } {
  const token = encodeBase64url(cryptography.randomBytes(TOKEN_BYTES));
  return { token, tokenDigest: digestToken(cryptography, token) };
}

/** What is kept of a token: SHA-256 of its text, base64url. */
export function digestToken(cryptography: Cryptography, token: string): string {
  return encodeBase64url(cryptography.digest(token));
}

/** A fresh id with its prefix, such as `usr_...`. */
export function createId(cryptography: Cryptography, prefix: "usr" | "ses" | "lnk"): string {
  return `${prefix}_${encodeBase64url(cryptography.randomBytes(ID_BYTES))}`;
}

/** A line of the audit log about the account's people; `actor` is the member itself unless told otherwise. */
export function accountEntry(
  ports: Pick<ServicePorts, "clock">,
  member: { readonly userId: string; readonly email: string; readonly accountId: string },
  action: AuditAction,
  about: { subject?: string; changes?: readonly Change[]; actor?: Actor } = {},
): AuditEntry {
  const { subject = member.email, changes = [], actor = actorOf(member) } = about;
  return { accountId: member.accountId, atMs: ports.clock.nowMs(), actor, action, subject, siteKey: null, changes };
}
