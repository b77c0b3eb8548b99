import type { Role } from "@stile/protocol/roles";
import { type Member, mayManage } from "./member.ts";

/**
 * A link that works once: the person who opens it becomes a member, or chooses new credentials. The
 * service keeps only the digest of its token.
 */
export type Link = {
  readonly linkId: string;
  readonly tokenDigest: string;
  readonly purpose: "setup" | "invite" | "reset";
  readonly accountId: string;
  /** The member whose credentials are reset; null if the link makes a new member. */
  readonly userId: string | null;
  readonly role: Role;
  /**
   * For a reset link: whether its maker decided to remove the member's app, passkeys and recovery
   * codes.
   */
  readonly removesSecondFactors: boolean;
  /**
   * The member who made the link, and must keep the right to make it until it is used; null for the
   * operator.
   */
  readonly madeBy: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

/**
 * Whether the maker of the link still has the right to make it. `maker` is the member `madeBy`, if
 * they exist.
 */
export function isBacked(
  { madeBy, accountId, role }: Link,
  maker: Pick<Member, "accountId" | "role"> | undefined,
): boolean {
  return madeBy === null || (maker?.accountId === accountId && mayManage(maker.role, role));
}

/** The part of a link's maker that decides whether they may make it. */
type Maker = Pick<Member, "userId" | "accountId" | "role">;

/**
 * The invitations among an account's unexpired links that can still be accepted. `members` are all
 * of the account.
 */
export function openInvitations(
  links: readonly Link[],
  members: readonly Maker[],
): readonly Link[] {
  const makers = new Map(members.map((member) => [member.userId, member]));
  return links.filter(
    (link) => link.purpose === "invite" && isBacked(link, makers.get(link.madeBy ?? "")),
  );
}

/** How many members the account will have if every open invitation is accepted. */
export function countPlaces(links: readonly Link[], members: readonly Maker[]): number {
  return members.length + openInvitations(links, members).length;
}

/** How long links live, in ms. */
export const LINK_MS = { setup: 15 * 60_000, invite: 3 * 86_400_000, reset: 60 * 60_000 } as const;

/**
 * Tries at the second factor per reset link; with more, six digits could be guessed within the
 * link's life.
 */
export const LINK_CODE_TRIES = 5;
