import type { AuditEntry } from "../../domain/account/audit.ts";
import type { Link } from "../../domain/account/link.ts";
import type { Member } from "../../domain/account/member.ts";

/**
 * Outcome of using a link; `link_gone` if it was used, revoked or has expired, if who made it may no longer (`isBacked`), or if it
 * would set up an account that has members by now. Only `stored` uses the link up.
 */
export type LinkUse = "stored" | "link_gone" | "email_taken" | "conflict";

/** One-time links. Of any number of simultaneous uses of one, at most one succeeds. */
export interface Links {
  /**
   * Stores a link; a set-up or reset link replaces the former ones of the same account or member. False, and nothing is written, if
   * the account has as many members and open invitations as it may (`most`, `countPlaces`).
   */
  insertLink(link: Link, entry?: AuditEntry, most?: number): Promise<boolean>;
  /** The link as long as nobody used it, expired or not. */
  findLink(tokenDigest: string): Promise<Link | undefined>;
  /** Living set-up and invitation links of the account, newest first. */
  listLinks(accountId: string, nowMs: number): Promise<readonly Link[]>;
  /** False if there is none. */
  removeLink(accountId: string, linkId: string, entry: AuditEntry): Promise<boolean>;
  /**
   * Counts one try at the second factor of a reset link's member, before it is judged. False if the link is gone or
   * `most` tries were counted.
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
