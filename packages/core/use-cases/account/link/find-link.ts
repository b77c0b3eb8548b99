import type { LinkData } from "@stile/protocol/dashboard-api";
import type { Link } from "../../../domain/account/link.ts";
import { hasSecondFactor, type Member } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { findLivingLink } from "../../../services/account/link/find-living-link.ts";

/** Whether the person who opens the link must give one of the member's second factors. */
function neededFactor(link: Link, member: Member | undefined): LinkData["secondFactor"] {
  if (member === undefined || !hasSecondFactor(member)) return "none";
  return link.removesSecondFactors ? "removed" : "needed";
}

/**
 * The purpose of a link; undefined if it is unusable (`findLivingLink`), or if its purpose is gone
 * or has changed.
 */
export async function findLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "links" | "members" | "sites">,
  token: string,
): Promise<LinkData | undefined> {
  const link = await findLivingLink(ports, token);
  if (link === undefined) return undefined;
  const account = await ports.sites.findAccount(link.accountId);
  const member = link.userId === null ? undefined : await ports.members.findMember(link.userId);
  if (account === undefined || (link.userId !== null && member?.role !== link.role))
    return undefined;
  return {
    purpose: link.purpose,
    accountName: account.name,
    role: link.role,
    email: member?.email ?? null,
    secondFactor: neededFactor(link, member),
    hasPasskeys: (member?.passkeys.length ?? 0) > 0,
    expiresAtMs: link.expiresAtMs,
  };
}
