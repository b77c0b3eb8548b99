import { actorOf } from "../../../domain/account/audit.ts";
import { mayManage } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry, type SignedIn } from "../signed-in.ts";

/** How many sessions ended. Members of other accounts are `not_found`. */
export type EndMemberSessionsAnswer =
  | { readonly kind: "ended"; readonly count: number }
  | { readonly kind: "not_found" | "not_allowed" };

/** Ends all sessions of a member of the account, except the one that the request comes from. */
export async function endMemberSessions(
  ports: Pick<ServicePorts, "clock" | "members" | "sessions">,
  by: SignedIn,
  userId: string,
): Promise<EndMemberSessionsAnswer> {
  const member = await ports.members.findMember(userId);
  if (member === undefined || member.accountId !== by.member.accountId) return { kind: "not_found" };
  if (!mayManage(by.member.role, member.role)) return { kind: "not_allowed" };
  const entry = accountEntry(ports, member, "member_sessions_ended", { actor: actorOf(by.member) });
  return { kind: "ended", count: await ports.sessions.removeOtherSessions(userId, by.session.sessionId, entry) };
}
