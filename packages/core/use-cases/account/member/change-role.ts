import type { Role } from "@stile/protocol/roles";
import { actorOf, findChanges } from "../../../domain/account/audit.ts";
import { changedMember, mayManage } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { findManaged } from "../../../services/account/member/find-managed.ts";

/** Outcome of changing a role. Members of other accounts are `not_found`. */
export type ChangeRoleAnswer = {
  readonly kind: "changed" | "not_found" | "not_allowed" | "conflict" | "last_owner";
};

/**
 * Gives a member another role from their next request on. The caller must outrank both roles, or be
 * an owner.
 */
export async function changeRole(
  ports: Pick<ServicePorts, "clock" | "members">,
  signedIn: SignedIn,
  userId: string,
  role: Role,
): Promise<ChangeRoleAnswer> {
  const managed = await findManaged(ports, signedIn.member, userId);
  if (managed.kind !== "found") return managed;
  if (!mayManage(signedIn.member.role, role)) return { kind: "not_allowed" };
  const { member } = managed;
  if (member.role === role) return { kind: "changed" };
  const after = changedMember(member, { role });
  const changes = findChanges({ role: member.role }, { role });
  const entry = accountEntry(ports, member, "member_role_changed", {
    changes,
    actor: actorOf(signedIn.member),
  });
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  if (outcome === "stored") return { kind: "changed" };
  return { kind: outcome === "last_owner" ? "last_owner" : "conflict" };
}
