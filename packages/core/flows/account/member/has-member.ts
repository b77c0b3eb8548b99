import type { Members } from "../../../ports/account/members.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** Stores that were seen to have a member: an owner always remains, and anybody may ask this as often as they like. */
const WITH_MEMBER = new WeakSet<Members>();

/** Whether anybody can sign in: until then only a set-up link leads in. */
export async function hasMember({ members, sites }: Pick<ServicePorts, "members" | "sites">): Promise<boolean> {
  if (WITH_MEMBER.has(members)) return true;
  for (const { accountId } of await sites.listAccounts()) {
    if ((await members.listMembers(accountId)).length === 0) continue;
    WITH_MEMBER.add(members);
    return true;
  }
  return false;
}
