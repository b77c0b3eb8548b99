import type { Members } from "../../../ports/account/members.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/**
 * Stores that are known to have a member, which is then true for good. Anybody may ask as often as
 * they like.
 */
const WITH_MEMBER = new WeakSet<Members>();

/** Whether anybody can sign in. Until there is a member, only a set-up link leads in. */
export async function hasMember({
  members,
  sites,
}: Pick<ServicePorts, "members" | "sites">): Promise<boolean> {
  if (WITH_MEMBER.has(members)) return true;
  for (const { accountId } of await sites.listAccounts()) {
    if ((await members.listMembers(accountId)).length === 0) continue;
    WITH_MEMBER.add(members);
    return true;
  }
  return false;
}
