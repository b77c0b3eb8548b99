import { actorOf } from "../../../domain/account/audit.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { findManaged } from "../../../services/account/member/find-managed.ts";

/** Outcome of removing a member. Members of other accounts are `not_found`. */
export type RemoveMemberAnswer = {
  readonly kind: "removed" | "not_found" | "not_allowed" | "conflict" | "last_owner";
};

/** Removes a member of the account, and ends their sessions and links. */
export async function removeMember(
  ports: Pick<ServicePorts, "clock" | "members">,
  signedIn: SignedIn,
  userId: string,
): Promise<RemoveMemberAnswer> {
  const managed = await findManaged(ports, signedIn.member, userId);
  if (managed.kind !== "found") return managed;
  const { member } = managed;
  const actor = actorOf(signedIn.member);
  const changes = [{ field: "role", before: member.role, after: null }];
  const entry = accountEntry(ports, member, "member_removed", { changes, actor });
  const outcome = await ports.members.removeMember(userId, member.revision, entry);
  if (outcome === "stored") return { kind: "removed" };
  return { kind: outcome === "last_owner" ? "last_owner" : "conflict" };
}
