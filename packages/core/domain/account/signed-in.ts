import type { IpAddress } from "../visitor/ip-address.ts";
import type { AuditEntry, ChangeEntry } from "./audit.ts";
import type { Member } from "./member.ts";
import type { Session } from "./session.ts";

/**
 * A change that its dashboard may send again because the answer was lost (D16, operator). `made` is
 * the entry that the first request wrote; undefined if the change was not made yet.
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

/** The browser that is signing in. */
export type Client = {
  /** Undefined if unknown. */
  readonly address: IpAddress | undefined;
  /** The browser in words. */
  readonly device: string;
  /** The token that the browser kept from an earlier sign-in, if any. */
  readonly deviceToken?: string | undefined;
};

/** The part of an entry that identifies the change that writes it. */
export function changeMark(change: RequestedChange | undefined): Pick<AuditEntry, "changeDigest"> {
  return change === undefined ? {} : { changeDigest: change.digest };
}
