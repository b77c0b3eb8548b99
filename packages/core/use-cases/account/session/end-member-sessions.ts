import { actorOf } from "../../../domain/account/audit.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { findManaged } from "../../../services/account/member/find-managed.ts";

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
  const managed = await findManaged(ports, by.member, userId);
  if (managed.kind !== "found") return managed;
  const entry = accountEntry(ports, managed.member, "member_sessions_ended", {
    actor: actorOf(by.member),
  });
  return {
    kind: "ended",
    count: await ports.sessions.removeOtherSessions(userId, by.session.sessionId, entry),
  };
}
