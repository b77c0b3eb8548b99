import type { Role } from "@stile/protocol/roles";
import { actorOf, findChanges } from "../../../domain/account/audit.ts";
import { changedMember, mayManage } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry, type SignedIn } from "../signed-in.ts";

/** Outcome of changing a role. Members of other accounts are `not_found`. */
export type ChangeRoleAnswer = {
  readonly kind: "changed" | "not_found" | "not_allowed" | "conflict" | "last_owner";
};

/** Gives a member another role from their next request on. The caller must outrank both roles, or be an owner. */
export async function changeRole(
  ports: Pick<ServicePorts, "clock" | "members">,
  signedIn: SignedIn,
  userId: string,
  role: Role,
): Promise<ChangeRoleAnswer> {
  const member = await ports.members.findMember(userId);
  if (member === undefined || member.accountId !== signedIn.member.accountId) return { kind: "not_found" };
  const mayChange = mayManage(signedIn.member.role, member.role) && mayManage(signedIn.member.role, role);
  if (!mayChange) return { kind: "not_allowed" };
  if (member.role === role) return { kind: "changed" };
  const after = changedMember(member, { role });
  const changes = findChanges({ role: member.role }, { role });
  const entry = accountEntry(ports, member, "member_role_changed", { changes, actor: actorOf(signedIn.member) });
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  if (outcome === "stored") return { kind: "changed" };
  return { kind: outcome === "last_owner" ? "last_owner" : "conflict" };
}
