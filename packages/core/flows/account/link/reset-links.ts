import type { Actor } from "../../../domain/account/audit.ts";
import type { Member } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../signed-in.ts";
import { makeLink, type NewLink } from "./links.ts";

/** Stores a reset link for the member with its audit entry. It replaces an earlier reset link. */
export async function storeResetLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "links">,
  { member, actor, removesSecondFactors }: { member: Member; actor: Actor; removesSecondFactors: boolean },
): Promise<NewLink> {
  const { accountId, userId, role } = member;
  const made = makeLink(ports, {
    purpose: "reset",
    accountId,
    userId,
    role,
    removesSecondFactors,
    madeBy: actor.userId,
  });
  const action = removesSecondFactors ? "factor_removal_link_made" : "reset_link_made";
  await ports.links.insertLink(made.link, accountEntry(ports, member, action, { actor }));
  return made;
}
