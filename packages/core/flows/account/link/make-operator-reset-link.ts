import { OPERATOR } from "../../../domain/account/audit.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { NewLink } from "./links.ts";
import { storeResetLink } from "./reset-links.ts";

/** A reset link for any member, by the operator at the machine, who needs no proof (D16); undefined if there is none such. */
export async function makeOperatorResetLink(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "members" | "links">,
  userId: string,
  removesSecondFactors: boolean,
): Promise<NewLink | undefined> {
  const member = await ports.members.findMember(userId);
  return member && (await storeResetLink(ports, { member, actor: OPERATOR, removesSecondFactors }));
}
