import { type Member, mayManage } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** A member whom another may manage, or why not. Members of other accounts are `not_found`. */
export type ManagedMember =
  | { readonly kind: "found"; readonly member: Member }
  | { readonly kind: "not_found" | "not_allowed" };

/** Finds the member for somebody who wants to change, reset or remove them. */
export async function findManaged(
  { members }: Pick<ServicePorts, "members">,
  by: Member,
  userId: string,
): Promise<ManagedMember> {
  const member = await members.findMember(userId);
  if (member?.accountId !== by.accountId) return { kind: "not_found" };
  return mayManage(by.role, member.role) ? { kind: "found", member } : { kind: "not_allowed" };
}
