import { isBacked, type Link } from "../../../domain/account/link.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { digestToken } from "../bearer-tokens.ts";

/**
 * The link of that token; undefined if it was used, revoked or has expired, or if its maker has
 * lost the right to it. The write that uses the link up checks this again. It is checked first
 * because the bearer of a dead link must not cost a hash, nor learn anything about emails.
 */
export async function findLivingLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "links" | "members">,
  token: string,
): Promise<Link | undefined> {
  const link = await ports.links.findLink(digestToken(ports.cryptography, token));
  if (link === undefined || ports.clock.nowMs() >= link.expiresAtMs) return undefined;
  const maker = link.madeBy === null ? undefined : await ports.members.findMember(link.madeBy);
  return isBacked(link, maker) ? link : undefined;
}
