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
export function isBacked({ madeBy, accountId, role }: Link, maker: Member | undefined): boolean {
  return madeBy === null || (maker?.accountId === accountId && mayManage(maker.role, role));
}

/** Life of links in ms. */
export const LINK_MS = { setup: 15 * 60_000, invite: 3 * 86_400_000, reset: 60 * 60_000 } as const;

/** Tries at the second factor that one reset link allows: six digits are guessed in far fewer than a link's life else. */
export const LINK_CODE_TRIES = 5;
