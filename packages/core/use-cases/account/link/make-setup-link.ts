import type { ServicePorts } from "../../../ports/service-ports.ts";
import { makeLink, type NewLink } from "../../../services/account/link/make-link.ts";

/**
 * Makes a link for the account's first owner; it replaces an earlier one.
 * Undefined once the account has a member, because from then on members invite others.
 */
export async function makeSetupLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "members" | "links">,
  accountId: string,
): Promise<NewLink | undefined> {
  if ((await ports.members.listMembers(accountId)).length > 0) return undefined;
  const made = makeLink(ports, {
    purpose: "setup",
    accountId,
    userId: null,
    role: "owner",
    madeBy: null,
  });
  await ports.links.insertLink(made.link);
  return made;
}
