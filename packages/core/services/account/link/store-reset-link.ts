import type { Actor } from "../../../domain/account/audit.ts";
import type { Member } from "../../../domain/account/member.ts";
import type { RequestedChange } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../account-entry.ts";
import { makeLink, type NewLink } from "./make-link.ts";

/** Stores a reset link for the member with its audit entry. It replaces an earlier reset link. */
export async function storeResetLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "links">,
  terms: {
    member: Member;
    actor: Actor;
    removesSecondFactors: boolean;
    change?: RequestedChange | undefined;
  },
): Promise<NewLink> {
  const { member, actor, removesSecondFactors, change } = terms;
  const { accountId, userId, role } = member;
  const link = {
    purpose: "reset",
    accountId,
    userId,
    role,
    removesSecondFactors,
    madeBy: actor.userId,
  } as const;
  const made = makeLink(ports, link, change);
  const action = removesSecondFactors ? "factor_removal_link_made" : "reset_link_made";
  await ports.links.insertLink(made.link, accountEntry(ports, member, action, { actor, change }));
  return made;
}
