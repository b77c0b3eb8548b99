import { hasSecondFactor, type Member } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** Whether a member that goes without this factor would be left with none, though the account demands one. */
export async function isDemandedLast(
  ports: Pick<ServicePorts, "members">,
  after: Pick<Member, "accountId" | "totp" | "passkeys">,
): Promise<boolean> {
  return !hasSecondFactor(after) && (await ports.members.isSecondFactorDemanded(after.accountId));
}
