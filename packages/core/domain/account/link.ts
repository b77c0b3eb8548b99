import type { Role } from "@stile/protocol/roles";
import { type Member, mayManage } from "./member.ts";

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
  /** The member who made it, whose right to do so it needs until it is used; null: the operator. */
  readonly madeBy: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

/** Whether who made the link may still make it; `maker` is the member of that id, if there is one. */
export function isBacked(
  { madeBy, accountId, role }: Link,
  maker: Pick<Member, "accountId" | "role"> | undefined,
): boolean {
  return madeBy === null || (maker?.accountId === accountId && mayManage(maker.role, role));
}

/** The maker of a link, as far as its right to make it goes. */
type Maker = Pick<Member, "userId" | "accountId" | "role">;

/** Those of an account's living links by which somebody can still become a member of it; `members` are all the account's. */
export function openInvitations(links: readonly Link[], members: readonly Maker[]): readonly Link[] {
  const makers = new Map(members.map((member) => [member.userId, member]));
  return links.filter((link) => link.purpose === "invite" && isBacked(link, makers.get(link.madeBy ?? "")));
}

/** How many members the account has once everybody took up their invitation. */
export function countPlaces(links: readonly Link[], members: readonly Maker[]): number {
  return members.length + openInvitations(links, members).length;
}

/** Life of links in ms. */
export const LINK_MS = { setup: 15 * 60_000, invite: 3 * 86_400_000, reset: 60 * 60_000 } as const;

/** Tries at the second factor that one reset link allows: six digits are guessed in far fewer than a link's life else. */
export const LINK_CODE_TRIES = 5;
