import { OPERATOR } from "../../../domain/account/audit.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { NewLink } from "../../../services/account/link/make-link.ts";
import { storeResetLink } from "../../../services/account/link/store-reset-link.ts";

/**
 * The operator's reset link for any member, which needs no proof (D16, operator); undefined if
 * there is no such member.
 */
export async function makeOperatorResetLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "members" | "links">,
  userId: string,
  removesSecondFactors: boolean,
): Promise<NewLink | undefined> {
  const member = await ports.members.findMember(userId);
  return member && (await storeResetLink(ports, { member, actor: OPERATOR, removesSecondFactors }));
}
