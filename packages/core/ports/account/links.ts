import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Link } from "../../domain/account/link.ts";
import type { Member } from "../../domain/account/member.ts";

/**
 * Outcome of using a link. `link_gone`: it was used, revoked or has expired, its maker has lost the
 * right to it (`isBacked`), or it would set up an account that now has members. Only `stored` uses
 * the link up.
 */
export type LinkUse = "stored" | "link_gone" | "email_taken" | "conflict";

/** One-time links. If a link is used several times at once, at most one use succeeds. */
export interface Links {
  /**
   * Stores a link; a set-up or reset link replaces earlier ones of the same account or member. A
   * link with the id of a stored link of the account is a repeat: it replaces that link and writes
   * no entry. False, with nothing written, if the account already has `most` members and open
   * invitations (`countPlaces`).
   */
  insertLink(link: Link, entry?: AuditEntry, most?: number): Promise<boolean>;
  /** The link while it is unused, even if it has expired. */
  findLink(tokenDigest: string): Promise<Link | undefined>;
  /** The unexpired set-up and invitation links of the account, newest first. */
  listLinks(accountId: string, nowMs: number): Promise<readonly Link[]>;
  /** Revokes a link; false if there is none. */
  removeLink(accountId: string, linkId: string, entry: AuditEntry): Promise<boolean>;
  /**
   * Counts a try at the second factor of a reset link's member, before the try is checked. False if
   * the link is gone or `most` tries were already counted.
   */
  countTry(tokenDigest: string, most: number): Promise<boolean>;
  /** Uses the link up and inserts the new member, in one step. */
  join(tokenDigest: string, nowMs: number, member: Member, entry: AuditEntry): Promise<LinkUse>;
  /** Uses the link up, replaces the member and ends all its sessions, in one step. */
  reset(
    tokenDigest: string,
    nowMs: number,
    member: Member,
    expectedRevision: number,
    entry: AuditEntry,
  ): Promise<LinkUse>;
  /** Removes expired links. */
  prune(nowMs: number): Promise<number>;
}
