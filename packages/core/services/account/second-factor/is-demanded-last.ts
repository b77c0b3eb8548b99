import { hasSecondFactor, type Member } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** Whether the member, as changed, has no second factor although the account demands one. */
export async function isDemandedLast(
  ports: Pick<ServicePorts, "members">,
  after: Pick<Member, "accountId" | "totp" | "passkeys">,
): Promise<boolean> {
  return !hasSecondFactor(after) && (await ports.members.isSecondFactorDemanded(after.accountId));
}
