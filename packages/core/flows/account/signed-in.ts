import { encodeBase64url } from "@stile/pow/base64url";
import type { AuditAction } from "@stile/protocol/dashboard-events";
import { type Actor, type AuditEntry, actorOf, type Change } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { Session } from "../../domain/account/session.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import type { ChangeEntry } from "../../ports/account/audit-log.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

/**
 * A change that its dashboard may send again because the answer was lost (D16). `made` is the entry
 * that the first request wrote; undefined if the change was not made yet.
 */
export type RequestedChange = { readonly digest: string; readonly made: ChangeEntry | undefined };

/**
 * The member who makes a request, the session it comes from, and the change that it asks for, if it
 * has an id.
 */
export type SignedIn = {
  readonly member: Member;
  readonly session: Session;
  readonly change?: RequestedChange;
};

/** What an entry holds about the change that writes it. */
export function changeMark(change: RequestedChange | undefined): Pick<AuditEntry, "changeDigest"> {
  return change === undefined ? {} : { changeDigest: change.digest };
}

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
/** As many characters as the base64url of ID_BYTES. */
const LINK_ID_CHARACTERS = 16;

/** A bearer's token (256 random bits in base64url) and the digest of it that is stored. */
export function createToken(cryptography: Cryptography): { token: string; tokenDigest: string } {
  const token = encodeBase64url(cryptography.randomBytes(TOKEN_BYTES));
  return { token, tokenDigest: digestToken(cryptography, token) };
}

/** What is stored of a token: SHA-256 of its text, base64url. */
export function digestToken(cryptography: Cryptography, token: string): string {
  return encodeBase64url(cryptography.digest(token));
}

/**
 * The id of a link: the same for every repeat of the change that makes it, so that a repeat
 * replaces the link. It is no secret, and does not tell the id of the change.
 */
export function createLinkId(
  cryptography: Cryptography,
  change: RequestedChange | undefined,
): string {
  return change === undefined
    ? createId(cryptography, "lnk")
    : `lnk_${change.digest.slice(0, LINK_ID_CHARACTERS)}`;
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
  about: {
    subject?: string;
    changes?: readonly Change[];
    actor?: Actor;
    change?: RequestedChange | undefined;
  } = {},
): AuditEntry {
  const { subject = member.email, changes = [], actor = actorOf(member), change } = about;
  const what = { action, subject, siteKey: null, changes, ...changeMark(change) };
  return { accountId: member.accountId, atMs: ports.clock.nowMs(), actor, ...what };
}
