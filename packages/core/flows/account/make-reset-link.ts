import { actorOf, OPERATOR } from "../../domain/audit.ts";
import { mayManage } from "../../domain/member.ts";
import { type AccountPorts, accountEntry, type SignedIn } from "./steps/account-ports.ts";
import { makeLink, type NewLink } from "./steps/links.ts";

/** The link to hand over; members of other accounts are as good as absent. */
export type ResetLinkAnswer =
  | ({ readonly kind: "made" } & NewLink)
  | { readonly kind: "not_found" }
  | { readonly kind: "not_allowed" };

/** A link by which a member chooses a new password; it replaces the former one. The operator may make it for anybody (D16). */
export async function makeResetLink(
  ports: Pick<AccountPorts, "clock" | "cryptography" | "members" | "links">,
  by: SignedIn | "operator",
  userId: string,
): Promise<ResetLinkAnswer> {
  const member = await ports.members.findMember(userId);
  if (member === undefined) return { kind: "not_found" };
  if (by !== "operator") {
    if (by.member.accountId !== member.accountId) return { kind: "not_found" };
    if (!mayManage(by.member.role, member.role)) return { kind: "not_allowed" };
  }
  const { accountId, role } = member;
  const made = makeLink(ports, { purpose: "reset", accountId, userId, role });
  const actor = by === "operator" ? OPERATOR : actorOf(by.member);
  await ports.links.insertLink(made.link, accountEntry(ports, member, "reset_link_made", { actor }));
  return { kind: "made", ...made };
}
